import type { Location, Oas3Visitor } from "@redocly/openapi-core";
import { isNode } from "./node.js";
import { onKey } from "./on-key.js";
import { toInstant } from "../contract/to-instant.js";

const EXTENSIONS = ["x-deprecated-since", "x-sunset", "x-replaced-by"] as const;

export interface DeprecationNamedOptions {
  /** Extensions that a deprecated operation must have; default all three. */
  readonly required?: readonly (typeof EXTENSIONS)[number][];
}

/**
 * A deprecated operation says since when (`x-deprecated-since`), until when (`x-sunset`) and what to use instead
 * (`x-replaced-by`, an `operationId` of the document). The runtime makes the headers of RFC 9745, RFC 8594 and RFC 8288 of them.
 */
export function deprecationNamed({ required = EXTENSIONS }: DeprecationNamedOptions): Oas3Visitor {
  const operationIds = new Set<string>();
  const replacements: {
    readonly name: unknown;
    readonly own: string | undefined;
    readonly location: Location;
  }[] = [];

  return {
    Operation(operation, context) {
      if (!isNode(operation)) return;
      const { location } = context;
      const extensions = operation as typeof operation & Readonly<Record<string, unknown>>;
      if (operation.operationId !== undefined) operationIds.add(operation.operationId);

      if (operation.deprecated !== true) {
        for (const name of EXTENSIONS) {
          if (extensions[name] === undefined) continue;
          context.report({
            message: `Expected \`deprecated: true\` beside \`${name}\`; the operation is not deprecated.`,
            location: onKey(location.child(name)),
          });
        }
        return;
      }

      for (const name of required) {
        if (extensions[name] !== undefined) continue;
        context.report({
          message: `Expected \`${name}\` on a deprecated operation; found none.`,
          location: onKey(location.child("deprecated")),
        });
      }

      for (const name of ["x-deprecated-since", "x-sunset"] as const) {
        const value = extensions[name];
        if (value === undefined || toInstant(value) !== undefined) continue;
        context.report({
          message: `Expected \`${name}\` to be an RFC 3339 full-date or date-time, for example "2030-12-05"; found ${JSON.stringify(value)}.`,
          location: location.child(name),
        });
      }

      const since = toInstant(extensions["x-deprecated-since"]);
      const sunset = toInstant(extensions["x-sunset"]);
      if (since !== undefined && sunset !== undefined && sunset < since) {
        context.report({
          message: `Expected \`x-sunset\` not to be before \`x-deprecated-since\`, ${String(extensions["x-deprecated-since"])}; found ${String(extensions["x-sunset"])}.`,
          location: location.child("x-sunset"),
        });
      }

      if (extensions["x-replaced-by"] !== undefined) {
        replacements.push({
          name: extensions["x-replaced-by"],
          own: operation.operationId,
          location: location.child("x-replaced-by"),
        });
      }
    },
    Root: {
      // Only here is every operationId known.
      leave(_root, context) {
        for (const { name, own, location } of replacements) {
          if (typeof name === "string" && operationIds.has(name) && name !== own) continue;
          context.report({
            message: `Expected \`x-replaced-by\` to be the operationId of another operation in this document; found ${JSON.stringify(name)}.`,
            location,
          });
        }
      },
    },
  };
}
