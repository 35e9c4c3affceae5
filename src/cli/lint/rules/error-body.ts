import { toComponentReference } from "tenon/core/document";
import type { MediaType } from "tenon/core/model";
import type { Rule } from "../rule.js";

const MEDIA_TYPE = "application/json";
const ERROR_STATUS_CODE = /^(?:[45](?:\d\d|XX)|default)$/;

export interface ErrorBodyOptions {
  /** Name of the component schema; default `Error`. */
  readonly schema: string;
}

/**
 * Requires every error response (4xx, 5xx, their ranges and `default`) of an operation under `paths` to have one body:
 * `application/json` with a reference to the component schema of the given name. Callbacks and webhooks are exempt, because another
 * service responds to them.
 */
export const errorBody: Rule<ErrorBodyOptions> = ({ operations, registry }, { options, report }) => {
  const reference = toComponentReference(options.schema ?? "Error");
  const wanted = `Expected the body of an error response to be ${MEDIA_TYPE} with a reference to ${reference}`;
  // In a contract with several files the component may be in a separate file that all references use.
  const component = registry.resolve({ pointer: reference, reference });
  const reportMediaType = ({ name, pointer, schema }: MediaType): void => {
    if (name !== MEDIA_TYPE) {
      report(pointer, `${wanted}; found ${name}.`, { onKey: true });
    } else if (schema?.reference === undefined) {
      report(pointer, `${wanted}; found ${schema ? "an inline schema" : "no schema"}.`, { onKey: true });
    } else if (registry.resolve(schema).pointer !== component.pointer) {
      report(schema.pointer, `${wanted}; found ${schema.reference.replace(/#$/, "")}.`);
    }
  };
  for (const { status, pointer, mediaTypes } of operations.flatMap(({ responses }) => responses)) {
    if (!ERROR_STATUS_CODE.test(status)) continue;
    if (mediaTypes.length === 0) report(pointer, `${wanted}; found no body.`, { onKey: true });
    for (const mediaType of mediaTypes) reportMediaType(mediaType);
  }
};
