import type { Parameter } from "tenon/core/model";
import type { Rule } from "../rule.js";

/**
 * Requires the names in a path template to match the declared parameters with `in: path` of the path item or the operation.
 * Otherwise a handler would expect parameters that no request has, or miss those that requests have.
 * @see https://spec.openapis.org/oas/v3.1.0#path-templating
 */
export const pathParameterDeclared: Rule = ({ pathItems, operations }, { report }) => {
  for (const pathItem of pathItems) {
    const { path, declaredAt } = pathItem;
    const { names, unreadable } = parsePathTemplate(path);
    for (const problem of unreadable) report(declaredAt, `${problem} in \`${path}\`.`, { onKey: true });
    // Names that could not be read cannot be compared with the declared ones.
    if (unreadable.length > 0) continue;

    const reportUnmatched = (parameters: readonly Parameter[]) => {
      for (const { name, pointer } of parameters) {
        if (names.includes(name)) continue;
        report(`${pointer}/name`, `Expected \`{${name}}\` in \`${path}\`; the template has no such name.`);
      }
    };
    const shared = pathItem.parameters.filter(isInPath);
    reportUnmatched(shared);
    for (const operation of operations.filter((one) => one.pathItem === pathItem)) {
      const own = operation.ownParameters.filter(isInPath);
      reportUnmatched(own);
      for (const name of new Set(names)) {
        // The operation's parameter replaces the path item's: together they count as one.
        const count = [own, shared]
          .map((some) => some.filter((one) => one.name === name).length)
          .find(Boolean);
        if (count === 1) continue;
        const message = `Expected one parameter \`${name}\` with \`in: path\` for \`${path}\`; found ${count ?? "none"}.`;
        report(operation.pointer, message, { onKey: true });
      }
    }
  }
};

function isInPath(parameter: Parameter): boolean {
  return parameter.in === "path";
}

/**
 * Requires a path template to match paths without ambiguity: every name occurs once, there is a literal between two of them, and it
 * has no `?` and `#`, which end a path. `path-parameter-declared` compares the names with the parameters.
 * @see https://spec.openapis.org/oas/v3.1.0#path-templating
 */
export const pathParameterMatchable: Rule = ({ pathItems }, { report }) => {
  for (const { path, declaredAt } of pathItems)
    for (const problem of parsePathTemplate(path).ambiguous)
      report(declaredAt, `${problem} in \`${path}\`.`, { onKey: true });
};

/** A parameter, or a brace without its counterpart. */
const EXPRESSION = /\{([^{}]*)\}|[{}]/g;

/**
 * Parses the names of a path template. `/{a}.{ext}` has `a` and `ext`; `{pet-id}` and `{id}:archive` are valid too. Two parameters
 * need a literal between them: in `/{a}{b}` the end of `a` is unknown.
 * @param template Key of the Paths Object.
 */
function parsePathTemplate(template: string) {
  const names: string[] = [];
  /** Reasons why no path can match, without the template and without a full stop. */
  const unreadable: string[] = [];
  /** Reasons why a match is ambiguous, in the same form. */
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
