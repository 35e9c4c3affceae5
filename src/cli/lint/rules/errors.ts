import { findResponse } from "tenon/core/http";
import type { MediaType, Operation, Response } from "tenon/core/model";
import type { Rule } from "../rule.js";
import { toComponentReference } from "tenon/core/document";

/**
 * Requires an operation to declare, with a body, the errors that the runtime itself sends for it, so that a typed client knows them.
 * The status code, `4XX` or `default` can declare an error. 500 is not required, because a client handles it like any undeclared
 * status. An operation that declares 501 and no success is exempt, because its contract is not complete.
 */
export const errorsDeclared: Rule = ({ operations }, { report }) => {
  for (const operation of operations) {
    const { pointer, responses } = operation;
    if (responses.some(({ status }) => status === "501") && !responses.some(isSuccess)) continue;

    const possible = findPossible(operation);
    const undeclared = possible.filter((status) => findDeclared(status, responses) === undefined);
    const bodiless = possible.filter((status) => findDeclared(status, responses)?.mediaTypes.length === 0);
    if (undeclared.length + bodiless.length === 0) continue;

    const wanted = [
      undeclared.length > 0 && `a response for ${undeclared.join(", ")}`,
      bodiless.length > 0 && `a body for ${bodiless.join(", ")}`,
    ].filter(Boolean);
    const message = `Expected ${wanted.join(" and ")}, which the runtime sends by itself; found none.`;
    report(`${pointer}/responses`, message, { onKey: true });
  }
};

/** The statuses with which the runtime refuses requests before it calls the operation's handler. */
function findPossible({ method, security, responses, requestBody, lifecycle }: Operation): readonly string[] {
  const isSecured =
    security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0);
  const isNegotiated = responses.some((response) => isSuccess(response) && response.mediaTypes.length > 0);
  return [
    // Every operation refuses unknown query parameters.
    "400",
    ...(isSecured ? ["401"] : []),
    ...(isNegotiated ? ["406"] : []),
    ...(lifecycle?.sunset !== undefined ? ["410"] : []),
    ...(requestBody !== undefined ? ["413", "415"] : []),
    ...(method === "get" && responses.some(({ status }) => status === "206") ? ["416"] : []),
  ];
}

function isSuccess({ status }: Response): boolean {
  return status.startsWith("2");
}

/** Finds the response that declares an error. `default` declares the success if no other response does. */
function findDeclared(status: string, responses: readonly Response[]): Response | undefined {
  const errors = responses.some(isSuccess)
    ? responses
    : responses.filter((response) => response.status !== "default");
  return findResponse(errors, Number(status));
}

const ERROR_STATUS_CODE = /^(?:[45](?:\d\d|XX)|default)$/;

/**
 * Requires every error response (4xx, 5xx, their ranges and `default`) of an operation under `paths` to have one body: a reference to the
 * component schema that the option `schema` names (default: `Error`), in the option `mediaType` (default: `application/json`).
 * Callbacks and webhooks are exempt, because another service responds to them.
 */
export const errorBody: Rule<{ readonly schema: string; readonly mediaType: string }> = (
  { operations, registry },
  { options, report },
) => {
  const { schema: component = "Error", mediaType: wantedType = "application/json" } = options;
  const reference = toComponentReference(component);
  const wanted = `Expected the body of an error response to be ${wantedType} with a reference to ${reference}`;
  // In a contract with several files the component may be in a separate file that all references use.
  const target = registry.resolve({ pointer: reference, reference });
  const reportMediaType = ({ name, pointer, schema }: MediaType): void => {
    if (name !== wantedType) {
      report(pointer, `${wanted}; found ${name}.`, { onKey: true });
    } else if (schema?.reference === undefined) {
      report(pointer, `${wanted}; found ${schema ? "an inline schema" : "no schema"}.`, { onKey: true });
    } else {
      const found = registry.resolve(schema);
      if (found.pointer === target.pointer) return;
      const isElsewhere = !found.pointer.startsWith("#") && found.pointer.endsWith(`/${component}`);
      // Without the component in the root, every file's reference is a different schema.
      const next =
        isElsewhere && registry.source.lookUp(reference) === undefined
          ? ` Declare it in the root document: components.schemas.${component}: { $ref: ${found.pointer} }`
          : "";
      report(schema.pointer, `${wanted}; found ${schema.reference.replace(/#$/, "")}.${next}`);
    }
  };
  for (const { status, pointer, mediaTypes } of operations.flatMap(({ responses }) => responses)) {
    if (!ERROR_STATUS_CODE.test(status)) continue;
    if (mediaTypes.length === 0) report(pointer, `${wanted}; found no body.`, { onKey: true });
    for (const mediaType of mediaTypes) reportMediaType(mediaType);
  }
};
