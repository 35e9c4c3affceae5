import type { Oas3Visitor } from "@redocly/openapi-core";
import { entriesOf } from "./node.js";
import { onKey } from "./on-key.js";
import { parsePathTemplate } from "./parse-path-template.js";

/**
 * It is certain what a path template matches: every name is there once, two of them have a literal in between, and `?` and `#`, which end
 * a path, are not in it. That the names are those of parameters is the business of `path-parameter-declared`.
 * @see https://spec.openapis.org/oas/v3.1.0#path-templating
 */
export function pathParameterMatchable(): Oas3Visitor {
  return {
    Paths(paths, context) {
      for (const [template] of entriesOf(paths)) {
        if (template.startsWith("x-")) continue;
        for (const problem of parsePathTemplate(template).unsure) {
          const location = onKey(context.location.child(template));
          context.report({ message: `${problem} in \`${template}\`.`, location });
        }
      }
    },
  };
}
