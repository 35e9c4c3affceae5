import fc from "fast-check";
import {
  findPosition,
  type PartValue,
  type Position,
  type Positions,
  toPartKind,
} from "../../../src/tenon/core/http/parts.js";
import type { Contract, Operation } from "../../../src/tenon/core/model/index.js";
import type { Schema } from "../../../src/tenon/core/schema/index.js";
import { createValues, toNumbers, toStrings } from "../../../src/cli/values/index.js";

/** What a generated client is called with. */
export interface Call {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly body?: unknown;
  readonly mediaType?: string;
}

/** Valid requests with all that is required and nothing else. */
export function createCalls({ registry }: Contract): (operation: Operation, seed: number) => Call {
  const make = createValues({
    registry,
    side: "request",
    leaves: { strings: toStrings, numbers: toNumbers },
    examples: 1,
    optional: 1,
  });
  const sample = (schema: Schema = { pointer: "" }, seed: number): unknown => {
    const values = make(schema);
    return values && fc.sample(values, { seed, numRuns: 1, unbiased: true })[0];
  };
  return ({ parameters, requestBody }, seed) => {
    const params: Record<string, Record<string, unknown>> = {};
    for (const { name, in: place, required, schema } of parameters) {
      if (required) (params[place] ??= {})[name] = sample(schema, seed);
    }
    const mediaType = requestBody?.required === true ? requestBody.mediaTypes[0] : undefined;
    if (mediaType === undefined) return { params };
    const { name, schema, items } = mediaType;
    if (items?.parts !== undefined) {
      const { positions, prefix, rest, whole } = items.parts;
      const all = rest ? [...prefix, rest] : prefix;
      const parts = whole ? sample(whole, seed) : all.map((one) => sample(one, seed));
      return { params, body: completeParts(parts as readonly PartValue[], positions), mediaType: name };
    }
    const body = items === undefined ? sample(schema, seed) : [sample(items.schema, seed)];
    return { params, body, mediaType: name };
  };
}

/** Gives each part a declared media type, and bytes where a schema describes no value. */
function completeParts(parts: readonly PartValue[], positions: Positions): readonly PartValue[] {
  return parts.map((part, index) => completePart(part, findPosition(positions, index)));
}

function completePart(part: PartValue, position: Position = { mediaTypes: [] }): PartValue {
  const [mediaType = "application/octet-stream"] = position.mediaTypes;
  const value = (): unknown => {
    switch (toPartKind(mediaType, position)) {
      case "parts":
        return completeParts(part.value as readonly PartValue[], position.parts ?? {});
      case "binary":
        return Uint8Array.of(0, 13, 10, 255);
      default:
        return part.value;
    }
  };
  return { ...part, mediaType, value: value() };
}
