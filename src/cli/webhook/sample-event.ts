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
