import type { Location, Oas3Parameter, Oas3Visitor, Referenced, UserContext } from "@redocly/openapi-core";
import { entriesOf, isNode, isReference, itemsOf } from "./node.js";
import { onKey } from "./on-key.js";
import { parsePathTemplate } from "./parse-path-template.js";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/**
 * The names in a path template are those of the declared parameters with `in: path`, on the path item or on the operation. Without
 * that a handler gets parameters that nobody sends, or not those that are sent.
 * @see https://spec.openapis.org/oas/v3.1.0#path-templating
 */
export function pathParameterDeclared(): Oas3Visitor {
  return {
    Paths(paths, context) {
      for (const [template, reference] of entriesOf(paths)) {
        if (template.startsWith("x-")) continue;
        const templateLocation = context.location.child(template);

        const { names, unreadable } = parsePathTemplate(template);
        for (const problem of unreadable) {
          context.report({ message: `${problem} in \`${template}\`.`, location: onKey(templateLocation) });
        }
        // What is declared cannot be compared with names that could not be read.
        if (unreadable.length > 0) continue;

        const { node: pathItem, location } = locate(reference, templateLocation, context);
        if (!isNode(pathItem) || location === undefined) continue;
        const shared = pathParameters(pathItem.parameters, location, context);
        reportUnmatched(shared, { template, names, context });

        for (const method of METHODS) {
          const operation = pathItem[method];
          if (!isNode(operation)) continue;
          const own = pathParameters(operation.parameters, location.child(method), context);
          reportUnmatched(own, { template, names, context });

          for (const name of new Set(names)) {
            // The operation's parameter wins over the path item's, so that the two count as one.
            const ownCount = own.filter((parameter) => parameter.name === name).length;
            const count = ownCount || shared.filter((parameter) => parameter.name === name).length;
            if (count === 1) continue;
            context.report({
              message: `Expected one parameter \`${name}\` with \`in: path\` for \`${template}\`; found ${count || "none"}.`,
              location: onKey(location.child(method)),
            });
          }
        }
      }
    },
  };
}

interface PathParameter {
  readonly name: string;
  readonly location: Location;
}

function pathParameters(
  parameters: readonly Referenced<Oas3Parameter>[] | undefined,
  owner: Location,
  context: UserContext,
): PathParameter[] {
  return itemsOf(parameters).flatMap(([index, reference]) => {
    const { node, location } = locate(reference, owner.child(["parameters", index]), context);
    return isNode(node) && location && node.in === "path"
      ? [{ name: node.name, location: location.child("name") }]
      : [];
  });
}

interface Matching {
  readonly template: string;
  readonly names: readonly string[];
  readonly context: UserContext;
}

function reportUnmatched(parameters: readonly PathParameter[], { template, names, context }: Matching): void {
  for (const { name, location } of parameters) {
    if (names.includes(name)) continue;
    context.report({
      message: `Expected \`{${name}}\` in \`${template}\`; the template has no such name.`,
      location,
    });
  }
}

interface Located<T> {
  readonly node: T | undefined;
  readonly location: Location | undefined;
}

/** `resolve` gives what is no reference the location of the visited node instead of its own. */
function locate<T extends object>(node: Referenced<T>, location: Location, context: UserContext): Located<T> {
  return isReference(node) ? context.resolve<T>(node, location.source.absoluteRef) : { node, location };
}
