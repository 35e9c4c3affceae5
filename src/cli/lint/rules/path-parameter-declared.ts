import type { Parameter } from "tenon/core/model";
import type { Rule } from "../rule.js";
import { parsePathTemplate } from "./parse-path-template.js";

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
