export interface PathTemplate {
  /** Parameter names in order. */
  readonly names: readonly string[];
  /** Reasons why no path can match, without the template and without a full stop. */
  readonly unreadable: readonly string[];
  /** Reasons why a match is ambiguous, in the same form. */
  readonly ambiguous: readonly string[];
}

/** A parameter, or a brace without its counterpart. */
const EXPRESSION = /\{([^{}]*)\}|[{}]/g;

/**
 * Parses the names of a path template. `/{a}.{ext}` has `a` and `ext`; `{pet-id}` and `{id}:archive` are valid too. Two parameters
 * need a literal between them: in `/{a}{b}` the end of `a` is unknown.
 * @param template Key of the Paths Object.
 */
export function parsePathTemplate(template: string): PathTemplate {
  const names: string[] = [];
  const unreadable: string[] = [];
  const ambiguous: string[] = [];
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
      ambiguous.push(`Expected every parameter name once; found \`{${name}}\` twice`);
    if (match.index === end)
      ambiguous.push(`Expected a literal before \`{${name}}\`; found another parameter`);
    names.push(name);
    end = match.index + match[0].length;
  }
  const literals = template.replaceAll(EXPRESSION, "");
  if (/[?#]/.test(literals)) ambiguous.push("Expected a path without `?` and `#`");
  return { names, unreadable, ambiguous };
}
