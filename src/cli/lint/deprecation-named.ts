import type { Location, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import {
  DEPRECATION_EXTENSIONS,
  endsBeforeStart,
  findUnreadable,
  readLifecycle,
} from "tenon/core/document/lifecycle";
import { showInstant } from "tenon/core/document/instant";
import { onKey } from "./on-key.js";
import { type Lasting, visitLifecycles } from "./visit-lifecycles.js";

export interface DeprecationNamedOptions {
  /** Extensions that a deprecated operation must have; default all three. */
  readonly required?: readonly (typeof DEPRECATION_EXTENSIONS)[number][];
}

/**
 * A deprecated operation says since when (`x-deprecated-since`), until when (`x-sunset`) and what to use instead
 * (`x-replaced-by`, an `operationId` of the document). The runtime makes the headers of RFC 9745, RFC 8594 and RFC 8288 of them.
 * Parameters, headers and schemas may say the same, and what they say must make sense; OpenAPI has no way to name what replaces them.
 */
export function deprecationNamed({
  required = DEPRECATION_EXTENSIONS,
}: DeprecationNamedOptions): Oas3Visitor {
  const operationIds = new Set<string>();
  const replacements: {
    readonly name: string;
    readonly own: string | undefined;
    readonly location: Location;
  }[] = [];

  return {
    ...visitLifecycles((node, noun, context) => {
      const { location } = context;
      const members = node as Readonly<Record<string, unknown>>;
      const own = typeof members["operationId"] === "string" ? members["operationId"] : undefined;
      if (noun === "operation" && own !== undefined) operationIds.add(own);

      if (members["deprecated"] !== true) {
        for (const name of DEPRECATION_EXTENSIONS) {
          if (members[name] === undefined) continue;
          context.report({
            message: `Expected \`deprecated: true\` beside \`${name}\`; the ${noun} is not deprecated.`,
            location: onKey(location.child(name)),
          });
        }
        return;
      }

      for (const name of noun === "operation" ? required : []) {
        if (members[name] !== undefined) continue;
        context.report({
          message: `Expected \`${name}\` on a deprecated operation; found none.`,
          location: onKey(location.child("deprecated")),
        });
      }
      reportValues(node, noun, context);
      const { replacedBy } = readLifecycle(node);
      if (noun === "operation" && replacedBy !== undefined)
        replacements.push({ name: replacedBy, own, location: location.child("x-replaced-by") });
    }),
    Root: {
      // Only here is every operationId known.
      leave(_root, context) {
        for (const { name, own, location } of replacements) {
          if (operationIds.has(name) && name !== own) continue;
          context.report({ message: wantOperation(name), location });
        }
      },
    },
  };
}

function reportValues(node: object, noun: Lasting, context: UserContext): void {
  const { location } = context;
  for (const { key, value, wanted } of findUnreadable(node)) {
    if (key === "x-stability-level") continue;
    const message =
      noun === "operation" && key === "x-replaced-by"
        ? wantOperation(value)
        : `Expected \`${key}\` to be ${wanted}; found ${JSON.stringify(value)}.`;
    context.report({ message, location: location.child(key) });
  }
  const lifecycle = readLifecycle(node);
  if (endsBeforeStart(lifecycle)) {
    const { since = 0, sunset = 0 } = lifecycle;
    context.report({
      message: `Expected \`x-sunset\` not to be before \`x-deprecated-since\`, ${showInstant(since)}; found ${showInstant(sunset)}.`,
      location: location.child("x-sunset"),
    });
  }
}

function wantOperation(found: unknown): string {
  return `Expected \`x-replaced-by\` to be the operationId of another operation in this document; found ${JSON.stringify(found)}.`;
}
