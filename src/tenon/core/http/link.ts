/** The address of a link, where it begins. */
const ADDRESS = /<([^<>]*)>/y;

/** A parameter of a link: its name and its value, in quotes or not. Quotes without an end go on to the end of the header. */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([^\s;,="<]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^\s;,"<]*)))?)?/y;

/**
 * Finds the address of the next page in the value of a `Link` header, as it is written there: `</v1/pets?cursor=7>; rel="next"` is
 * `/v1/pets?cursor=7`. Links with an `anchor` are not links of the response. The time is in proportion to the length.
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
export function findNextLink(link: string): string | undefined {
  let index = link.indexOf("<");
  while (index !== -1) {
    ADDRESS.lastIndex = index;
    const [text, address] = ADDRESS.exec(link) ?? ["<"];
    const parameters = new Map<string, string>();
    index += text.length;
    for (;;) {
      PARAMETER.lastIndex = index;
      const match = PARAMETER.exec(link);
      if (match === null) break;
      const [found, name = "", quoted, plain = ""] = match;
      index += found.length;
      // The first one counts (RFC 8288, section 3.3).
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? plain);
    }
    const relations = parameters.get("rel")?.toLowerCase().split(/\s/) ?? [];
    if (address !== undefined && relations.includes("next") && !parameters.has("anchor")) return address;
    index = link.indexOf("<", index);
  }
  return undefined;
}
