import { validateHeaderName, validateHeaderValue } from "node:http";
import { type Contract, type OutgoingOperation, toRequestKind } from "../../core/model/index.js";
import { HttpError } from "../../runtime/errors/http-error.js";
import { createValidatorCompiler, type OperationValidator } from "../../runtime/validation/validator.js";
import type { StoredEvent } from "./event-store.js";

/**
 * Validates the body and the headers of an event, and returns them as they are sent.
 * @throws {TypeError} with every problem.
 */
export type WriteEvent = (
  operation: OutgoingOperation,
  event: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
) => Pick<StoredEvent, "headers" | "body">;

/**
 * Creates the function that writes events.
 * @param signatureHeaders Names of headers in lower case that each attempt adds.
 */
export function createWrite(contract: Contract, signatureHeaders: readonly string[]): WriteEvent {
  const compile = createValidatorCompiler(contract);
  const validators = new Map<OutgoingOperation, OperationValidator>();
  return (operation, { body, headers = {} }) => {
    const { name } = operation.outgoing;
    const fail = (text: string): never => {
      throw new TypeError(`Cannot send "${name}": ${text}`);
    };
    for (const [key, value] of Object.entries(headers)) {
      try {
        validateHeaderName(key);
        validateHeaderValue(key, value);
      } catch {
        fail(`header ${JSON.stringify(key)} cannot be sent`);
      }
    }
    const given = new Set([...Object.keys(headers).map((key) => key.toLowerCase()), ...signatureHeaders]);
    const missing = operation.parameters.find(
      (parameter) =>
        parameter.in === "header" && parameter.required && !given.has(parameter.name.toLowerCase()),
    );
    // A function that chooses the signature may return one with this header.
    if (missing !== undefined && signatureHeaders.length > 0) fail(`header ${missing.name} is required`);
    if (body === undefined) {
      if (operation.requestBody?.required === true) fail("the body is required");
      return { headers, body: "" };
    }
    const mediaType =
      operation.requestBody?.mediaTypes.find((declared) => toRequestKind(declared) === "json") ??
      operation.requestBody?.mediaTypes.find((declared) => toRequestKind(declared) === "text");
    if (mediaType === undefined) return fail("the contract declares no JSON or text body");
    const validator = validators.get(operation) ?? compile({ ...operation, parameters: [] });
    validators.set(operation, validator);
    const found = validator.request({ parameters: {}, mediaType: mediaType.name, body });
    if (found instanceof HttpError) fail(found.message);
    const text = toRequestKind(mediaType) === "json" ? JSON.stringify(body) : (body as string);
    return { headers: { ...headers, "Content-Type": mediaType.name }, body: text };
  };
}
