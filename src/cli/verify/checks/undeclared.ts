import type { HttpMethod } from "tenon/core/legacy/model";
import type { Draft } from "../draft.js";

/** Any answer to what the contract does not declare is as good as any other, but a failure. That a method is not there is 501 to some. */
const NOTHING_SAID = { headers: [], content: [{ mediaType: "*/*", examples: [] }], links: [] };

/** The same request with a method that the contract does not declare, and so without a body. */
export function withMethod(draft: Draft, method: HttpMethod): Draft {
  const { id, path, parameters, security } = draft.operation;
  const responses = new Map(["default", "501", "503"].map((status) => [status, NOTHING_SAID]));
  const { body, ...value } = draft.value;
  const operation = { id, method, path, parameters, security, responses, stub: false, shapes: [] };
  return {
    ...draft,
    operation,
    value: body === undefined ? draft.value : value,
    shape: { schema: draft.shape.schema },
  };
}
