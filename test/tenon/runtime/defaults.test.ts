import { expect, test } from "@jest/globals";
import { toOperationContract } from "../../cli/generate/contract.js";
import { createRuntime } from "../schemas/validators.js";

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

// The validator only inlines schemas without references. It calls the others, and then does not know that it is in an alternative.
const SCHEMAS = {
  Leaf: { type: "object", properties: { text: { type: "string" } } },
  WithDefault: {
    type: "object",
    required: ["x"],
    properties: { x: { type: "integer" }, unit: { type: "string", default: "piece" }, leaf: refer("Leaf") },
  },
  Closed: {
    type: "object",
    required: ["y"],
    properties: { y: { type: "integer" } },
    additionalProperties: false,
  },
  Union: { anyOf: [refer("WithDefault"), refer("Closed")] },
  Nullable: { anyOf: [refer("WithDefault"), { type: "null" }] },
  Nested: { allOf: [refer("WithDefault")] },
};

const validate = createRuntime(toOperationContract({}, SCHEMAS), "request");

function withDefaults(name: string, value: object): object {
  const copy = structuredClone(value);
  expect(validate(`#/components/schemas/${name}`)(copy)).toEqual([]);
  return copy;
}

test("no default of an alternative is put into a value", () => {
  // The default of the first alternative would be unknown to the second.
  expect(withDefaults("Union", { y: 1 })).toEqual({ y: 1 });
  expect(withDefaults("Union", { x: 1 })).toEqual({ x: 1 });
});

test("defaults are put into values beside null, and of the parts of allOf", () => {
  for (const name of ["Nullable", "Nested", "WithDefault"])
    expect(withDefaults(name, { x: 1 })).toEqual({ x: 1, unit: "piece" });
});
