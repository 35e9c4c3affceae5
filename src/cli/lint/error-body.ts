import type { Location, Oas3Visitor } from "@redocly/openapi-core";
import { entriesOf, isNode, isReference } from "./node.js";
import { onKey } from "./on-key.js";

const MEDIA_TYPE = "application/json";
const ERROR_STATUS_CODE = /^(?:[45](?:\d\d|XX)|default)$/;

export interface ErrorBodyOptions {
  /** Name of the component schema; default `Error`. */
  readonly schema?: string;
}

/**
 * Every error response (4xx, 5xx, their ranges and `default`) of an operation under `paths` has one body: `application/json` with
 * a reference to the component schema of the given name. Callbacks and webhooks are left alone: somebody else answers them.
 */
export function errorBody({ schema: name = "Error" }: ErrorBodyOptions): Oas3Visitor {
  const wanted = `Expected the body of an error response to be ${MEDIA_TYPE} with a reference to #/components/schemas/${name}`;
  /** A response component is told once, however many operations use it. */
  const seen = new Set<unknown>();
  let component: Location | undefined;

  return {
    Root(root, context) {
      const schema = root.components?.schemas?.[name];
      // A multi-file contract may keep the component in a file of its own and refer to that file everywhere.
      component = isReference(schema)
        ? context.resolve(schema).location
        : context.location.child(["components", "schemas", name]);
    },
    Paths: {
      PathItem: {
        Operation: {
          Response(response, context) {
            const { location } = context;
            if (!ERROR_STATUS_CODE.test(String(context.key)) || !isNode(response) || seen.has(response))
              return;
            seen.add(response);

            const mediaTypes = entriesOf(response.content);
            if (mediaTypes.length === 0) {
              context.report({ message: `${wanted}; found no body.`, location: onKey(location) });
            }

            for (const [mediaType, { schema }] of mediaTypes) {
              const at = location.child(["content", mediaType]);
              if (mediaType !== MEDIA_TYPE) {
                context.report({ message: `${wanted}; found ${mediaType}.`, location: onKey(at) });
              } else if (!isReference(schema)) {
                context.report({
                  message: `${wanted}; found ${schema ? "an inline schema" : "no schema"}.`,
                  location: onKey(at),
                });
              } else if (context.resolve(schema).location?.absolutePointer !== component?.absolutePointer) {
                context.report({ message: `${wanted}; found ${schema.$ref}.`, location: at.child("schema") });
              }
            }
          },
        },
      },
    },
  };
}
