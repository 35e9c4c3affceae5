import { findMediaType } from "../core/http/media-type.js";
import { findStatusKey } from "../core/http/status.js";
import type { ClientOperation } from "./contract.js";
import type { AnyResult } from "./result.js";

/** The part of Standard Schema that is used. */
interface StandardValidator {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

interface StandardResult {
  readonly issues?:
    | readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[]
    | undefined;
}

/**
 * Validators of JSON responses, by `operationId`, status and media type. The generated `schemas.ts` exports those of all operations as
 * `responses`. Others can be any that implement Standard Schema.
 * @example
 * const refuse = () => ({ issues: [{ message: "is not expected", path: [] }] });
 * const nothing = { "~standard": { validate: refuse } };
 * const validators: ResponseValidators = { getPet: { 200: { "application/json": nothing } } };
 * const validate = validateResponses(validators);
 */
export type ResponseValidators = Readonly<
  Record<string, Readonly<Record<string | number, Readonly<Record<string, StandardValidator>>>>>
>;

/** A value in a response that the contract does not allow. */
interface ResponseProblem {
  /** JSON pointer of the value: `/0/name`; empty for the whole body. */
  readonly pointer: string;
  readonly message: string;
}

/** More problems are not in the message. */
const MAX_SHOWN = 3;

/**
 * The body of a response does not match the contract. Clients with the option `validate` throw it.
 * @example
 * try {
 *   await client.listPets();
 * } catch (error) {
 *   if (error instanceof InvalidResponseError) console.error(error.operationId, error.problems);
 *   else throw error;
 * }
 */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
  readonly status: number;

  constructor(
    readonly operationId: string,
    /** The response, whose body is already read. */
    readonly response: Response,
    readonly problems: readonly ResponseProblem[],
  ) {
    const shown = problems
      .slice(0, MAX_SHOWN)
      .map(({ pointer, message }) => `${pointer || "the body"} ${message}`);
    const more = problems.length > MAX_SHOWN ? `; and ${problems.length - MAX_SHOWN} more` : "";
    super(`The response ${response.status} of ${operationId} is invalid: ${shown.join("; ")}${more}`);
    this.status = response.status;
  }
}

/**
 * Validates the result of a call.
 * @example
 * const validate: ValidateResponse = ({ id }, { status }) => console.log(id, status);
 * const petstore = generatedClient.createClient({ baseUrl: "https://petstore.example/v1", validate });
 */
export type ValidateResponse = (operation: ClientOperation, result: AnyResult) => void | Promise<void>;

/**
 * Creates the client's option `validate` from validators. Bodies without one are not validated.
 * @returns a function that rejects with an {@link InvalidResponseError}.
 * @example
 * const nothing = { "~standard": { validate: () => ({ issues: [{ message: "is not expected" }] }) } };
 * const validate = validateResponses({ getPet: { 200: { "application/json": nothing } } });
 * const petstore = generatedClient.createClient({ baseUrl: "https://petstore.example/v1", validate });
 */
export function validateResponses(validators: ResponseValidators): ValidateResponse {
  return async ({ id }, { response, data, error }) => {
    const body = response.ok ? data : error;
    const declared = Object.hasOwn(validators, id) ? validators[id] : undefined;
    if (declared === undefined || body === undefined) return;
    const content = declared[findStatusKey(Object.keys(declared), response.status) ?? ""] ?? {};
    const candidates = Object.entries(content).map(([name, validator]) => ({ name, validator }));
    const mediaType = response.headers.get("Content-Type");
    const found = mediaType === null ? candidates[0] : findMediaType(candidates, mediaType);
    const { issues } = (await found?.validator["~standard"].validate(body)) ?? {};
    if (issues === undefined) return;
    const problems = issues.map(({ path = [], message }) => ({ pointer: toPointer(path), message }));
    throw new InvalidResponseError(id, response, problems);
  };
}

function toPointer(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  const keys = path.map((step) => String(typeof step === "object" ? step.key : step));
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
