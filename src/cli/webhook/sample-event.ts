import { isNode } from "tenon/core/document";
import type { Contract, OutgoingOperation } from "tenon/core/model";
import { toRequestKind } from "tenon/core/model";
import { createWrite } from "tenon/webhooks/internal";
import { createTryValues } from "../mock/index.js";
import { UsageError } from "../output/context.js";

/** An event as it is sent, without its signature. */
export interface SampleEvent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SampleOptions {
  readonly seed: number;
  /** Takes precedence over the example. Default: the contract's example, or generated data. */
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes an event that the contract allows.
 * @throws {UsageError} when the given body is not valid, or no valid one can be generated.
 */
export function makeSampleEvent(
  { registry, ...contract }: Contract,
  operation: OutgoingOperation,
  { seed, body, headers: given }: SampleOptions,
): SampleEvent {
  const write = createWrite({ registry, ...contract }, []);
  const tryValues = createTryValues({ registry, side: "response" });
  const makeHeader = (example: unknown, schema: OutgoingOperation["parameters"][number]["schema"]) => {
    const [generated] = example === undefined ? tryValues(schema, seed, false) : [example];
    return String(generated);
  };
  const required = operation.parameters.flatMap(
    ({ name, in: place, required: isRequired, schema, examples }) =>
      place === "header" && isRequired ? [[name, makeHeader(examples[0]?.value, schema)] as const] : [],
  );
  const headers = { ...Object.fromEntries(required), ...given };
  const { method, requestBody } = operation;
  const mediaType =
    requestBody?.mediaTypes.find((one) => toRequestKind(one) === "json") ?? requestBody?.mediaTypes[0];
  if (body !== undefined || mediaType === undefined) return { method, ...writeOrFail(body) };
  const examples = mediaType.examples.map(({ value }) => value);
  let problem: unknown;
  for (const value of [...examples, ...tryValues(mediaType.schema, seed, false)]) {
    try {
      return { method, ...write(operation, { headers, body: value }) };
    } catch (error) {
      problem = error;
    }
  }
  throw new UsageError(`No valid body can be generated; pass one with --body. ${(problem as Error).message}`);

  function writeOrFail(value: unknown) {
    try {
      return write(operation, { headers, body: value });
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  }
}

/**
 * Makes the same event with a JSON body that the contract does not allow: without a property, or with another type. Properties with listed
 * values stay, because they may name the event: with another one, the event would be unknown instead of invalid.
 * @returns undefined if the body is not JSON, or no such value is invalid.
 */
export function makeInvalidEvent(
  contract: Contract,
  operation: OutgoingOperation,
  event: SampleEvent,
): SampleEvent | undefined {
  if (!/json/i.test(event.headers["Content-Type"] ?? "")) return undefined;
  const write = createWrite(contract, []);
  const value = JSON.parse(event.body) as unknown;
  const schemas = (operation.requestBody?.mediaTypes ?? []).flatMap(({ schema }) => schema ?? []);
  const parts = schemas.flatMap((schema) => [...contract.registry.parts(schema)]);
  const isListed = (name: string) =>
    parts.some(({ properties = {} }) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return declared !== undefined && contract.registry.resolve(declared).enum !== undefined;
    });
  const all = isNode(value) ? Object.keys(value) : [];
  const members = all.filter((name) => !isListed(name));
  const candidates: readonly unknown[] = [
    ...members.map((name) => ({ ...(value as object), [name]: undefined })),
    ...members.map((name) => ({ ...(value as object), [name]: null })),
    ...(members.length === all.length ? [null, {}, [], "", 0] : []),
  ];
  for (const candidate of candidates) {
    const body = JSON.parse(JSON.stringify(candidate)) as unknown;
    try {
      write(operation, { headers: event.headers, body });
    } catch {
      return { ...event, body: JSON.stringify(body) };
    }
  }
  return undefined;
}
