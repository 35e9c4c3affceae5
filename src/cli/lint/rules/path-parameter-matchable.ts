import type { Rule } from "../rule.js";
import { parsePathTemplate } from "./parse-path-template.js";

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
