/** A link of a `Link` header: its address, and its parameters, whose values may be quoted. */
const LINK = /<([^<>]*)>([^<"]*(?:"(?:\\.|[^"\\])*"[^<"]*)*)/g;

/**
 * Finds the address of the next page in the value of a `Link` header, as it is written there: `</v1/pets?cursor=7>; rel="next"` is
 * `/v1/pets?cursor=7`. Links with an `anchor` are not links of the response.
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
export function findNextLink(link: string): string | undefined {
  for (const [, address = "", parameters = ""] of link.matchAll(LINK)) {
    const isNext = /;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?=[\s";,]|$)/i.test(parameters);
    if (isNext && !/;\s*anchor\s*=/i.test(parameters)) return address;
  }
  return undefined;
}
