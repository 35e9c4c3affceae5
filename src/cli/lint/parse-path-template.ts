export interface PathTemplate {
  /** Parameter names in order. */
  readonly names: readonly string[];
  /** Why names cannot be read, without the template and without a full stop; no path would be matched. */
  readonly unreadable: readonly string[];
  /** Why it is not sure what is matched, told in the same way. */
  readonly unsure: readonly string[];
}

/** A parameter, or a brace that opens or closes none. */
const EXPRESSION = /\{([^{}]*)\}|[{}]/g;

/**
 * Reads the names of a path template. `/{a}.{ext}` has `a` and `ext`; `{pet-id}` and `{id}:archive` are fine too. Two parameters need a
 * literal between them: in `/{a}{b}` nothing tells where `a` ends.
 * @param template Key of the Paths Object.
 */
export function parsePathTemplate(template: string): PathTemplate {
  const names: string[] = [];
  const unreadable: string[] = [];
  const unsure: string[] = [];
  let end = -1;

  if (!template.startsWith("/")) unreadable.push("Expected a `/` at the start");
  for (const match of template.matchAll(EXPRESSION)) {
    const name = match[1];
    if (name === undefined) {
      unreadable.push(`Expected braces in pairs; found a single \`${match[0]}\``);
      continue;
    }
    if (name === "") unreadable.push("Expected a parameter name; found `{}`");
    else if (/[/?#]/.test(name))
      unreadable.push(`Expected a parameter name without \`/\`, \`?\` and \`#\`; found \`{${name}}\``);
    else if (names.includes(name))
      unsure.push(`Expected every parameter name once; found \`{${name}}\` twice`);
    if (match.index === end) unsure.push(`Expected a literal before \`{${name}}\`; found another parameter`);
    names.push(name);
    end = match.index + match[0].length;
  }
  const literals = template.replaceAll(EXPRESSION, "");
  if (/[?#]/.test(literals)) unsure.push("Expected a path without `?` and `#`");
  return { names, unreadable, unsure };
}
