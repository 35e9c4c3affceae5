// @slow: compares thousands of generated values.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { SchemaRegistry } from "../../../src/tenon/core/schema/index.js";
import { createWriterCompiler } from "../../../src/tenon/runtime/response/json-writer.js";

const STATUS = { type: "string", enum: ["a", "b"] };
const PET = {
  type: "object",
  required: ["id", "name"],
  properties: {
    status: STATUS,
    id: { type: "integer" },
    name: { type: "string" },
    weight: { type: ["number", "null"] },
    isTame: { type: "boolean" },
    mother: { $ref: "#/components/schemas/pet" },
    tags: { type: "array", items: { type: "string" } },
    anything: {},
    constructor: { type: "string" },
  },
};
const registry = new SchemaRegistry({ openapi: "3.1.0", components: { schemas: { pet: PET } } });
const compileSchema = createWriterCompiler(registry);

/** @param schema As a document has it. */
function compile(schema: object): ((value: unknown) => string) | undefined {
  const read = registry.read({ node: { schema }, pointer: "#" }, "schema");
  return read && compileSchema(read);
}
const writePet = compile({ $ref: "#/components/schemas/pet" });
const writeList = compile({ type: "array", items: { $ref: "#/components/schemas/pet" } });

const same = (text: string | undefined, value: unknown) => {
  const want = JSON.stringify(value) as string | undefined;
  expect(text && (JSON.parse(text) as unknown)).toEqual(want && (JSON.parse(want) as unknown));
};

class WithGetter {
  get id(): number {
    return this.name.length;
  }
  name = "x";
}

const sparse: unknown[] = [];
sparse[2] = { id: 1, name: "x" };

describe("a writer made of a schema writes what JSON.stringify does", () => {
  test.each<[string, unknown]>([
    ["as declared", { id: 1, name: "Fluffy", status: "a", weight: 1.5, isTame: true, tags: ["x", "y"] }],
    ["null where it may be", { id: 1, name: "x", weight: null }],
    ["null where it may not be", { id: null, name: null, isTame: null, tags: null, mother: null }],
    [
      "what it refers to itself",
      { id: 1, name: "x", mother: { id: 2, name: "y", mother: { id: 3, name: "z" } } },
    ],
    ["undeclared members", { id: 1, name: "x", more: { a: [1] } }],
    ["without a required member", { status: "a" }],
    ["nothing", {}],
    ["a member that is undefined", { id: 1, name: "x", status: undefined }],
    ["a required member that is undefined", { id: undefined, name: "x" }],
    ["a member that is a function", { id: 1, name: "x", anything: () => 1 }],
    ["a typed member that is a function", { id: 1, name: () => "x" }],
    ["numbers that JSON has not", { id: NaN, name: "x", weight: Infinity }],
    ["minus zero and large numbers", { id: -0, name: "x", weight: 1e21 }],
    ["other types", { id: "1", name: 2, isTame: "true", tags: "x", mother: [1] }],
    [
      "boxed values",
      { id: Object(1) as unknown, name: Object("x") as unknown, isTame: Object(true) as unknown },
    ],
    ["a date", { id: 1, name: new Date(0) }],
    ["toJSON of its own", { id: 1, name: "x", toJSON: () => "short" }],
    ["toJSON that is undefined", { id: 1, name: "x", anything: { toJSON: () => undefined } }],
    ["an array with toJSON", { id: 1, name: "x", tags: Object.assign(["x"], { toJSON: () => "tags" }) }],
    ["undefined and functions in arrays", { id: 1, name: "x", tags: [undefined, "x", () => 1] }],
    ["without a prototype", Object.assign(Object.create(null) as object, { id: 1, name: "x" })],
    ["inherited members", Object.create({ id: 1, name: "x" })],
    ["an instance of a class", new WithGetter()],
    ["members that are not enumerable", Object.defineProperty({ name: "x" }, "id", { value: 1 })],
    ["symbols", { id: 1, name: "x", [Symbol("s")]: 1 }],
    ["text to escape", { id: 1, name: 'a"b\\c\n\u2028\u0000' }],
    ["long text to escape", { id: 1, name: `${"x".repeat(100)}"` }],
    ["lone surrogates", { id: 1, name: "\ud800", status: `${"x".repeat(50)}\udc00` }],
    ["text beyond ASCII", { id: 1, name: "größe 🐈" }],
    ["no object", "text"],
    ["null", null],
    ["undefined", undefined],
  ])("%s", (_, value) => {
    same(writePet?.(value), value);
    same(writeList?.([value, value]), [value, value]);
  });

  test("holes", () => {
    same(writeList?.(sparse), sparse);
  });

  test("a member called __proto__", () => {
    const write = compile({ type: "object", properties: { ["__proto__"]: { type: "string" } } });
    const value = JSON.parse('{"__proto__":"x"}') as unknown;
    expect((write ?? JSON.stringify)(value)).toBe('{"__proto__":"x"}');
  });

  test("names that are program text", () => {
    const name = '"];process.exit(1);//\u2028`${1}';
    const write = compile({ type: "object", required: [name], properties: { [name]: { type: "string" } } });
    same(write?.({ [name]: "x" }), { [name]: "x" });
  });

  test("throws when JSON.stringify throws, for example at a cycle", () => {
    const value: Record<string, unknown> = { id: 1, name: "x" };
    value["mother"] = value;
    expect(() => writePet?.(value)).toThrow();
    expect(() => writePet?.({ id: 1n, name: "x" })).toThrow(TypeError);
  });

  test("any values, in any place", () => {
    const value = fc.anything({
      withDate: true,
      withNullPrototype: true,
      withSparseArray: true,
      withBoxedValues: true,
    });
    const pet = fc.record(
      {
        id: value,
        name: value,
        status: value,
        weight: value,
        isTame: value,
        tags: fc.oneof(value, fc.array(value)),
        anything: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(value, pet, fc.array(pet)), (written) => {
        same(writePet?.(written), written);
        same(writeList?.(written), written);
      }),
      { numRuns: 2_000 },
    );
  });
});
