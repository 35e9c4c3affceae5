import { describe, expect, test } from "@jest/globals";
import { createInterpreter } from "../../../src/tenon/runtime/validation/interpreter.js";
import * as everyday from "../../fixtures/everyday/generated/schemas.js";
import * as petlike from "../../fixtures/petlike/generated/schemas.js";
import { toOperationContract } from "../../cli/generate/contract.js";
import { createRuntime, createValidators } from "./validators.js";

const LINE = { sku: "abc-1", count: 2 };

function issuesOf(
  validator: { readonly "~standard": { validate: (value: unknown) => { issues?: unknown } } },
  value: unknown,
) {
  return validator["~standard"].validate(value).issues;
}

describe("a generated validator", () => {
  test("implements Standard Schema", () => {
    expect(everyday.Line["~standard"]).toMatchObject({ version: 1, vendor: "tenon" });
  });

  test("puts defaults into a copy of a request, and into no response", () => {
    const value = { id: "8e03978e-40d5-43e8-bc93-6894a57f9324", customer: { name: "Ada" }, lines: [LINE] };
    const before = structuredClone(value);
    expect(everyday.OrderRequest["~standard"].validate(value)).toEqual({
      value: { ...value, urgent: false, lines: [{ ...LINE, unit: "piece" }] },
    });
    expect(value).toEqual(before);
    const result = everyday.Order["~standard"].validate(value);
    expect(result).toEqual({ value: before });
    expect("value" in result && result.value).toBe(value);
  });

  test("reports names and indexes that lead to each value", () => {
    const value = { id: "x", customer: { name: "" }, lines: [LINE, { sku: "abc-1", count: 0 }], extra: 1 };
    expect(issuesOf(everyday.OrderRequest, value)).toEqual([
      { path: ["extra"], message: "is unknown" },
      { path: ["id"], message: 'must match format "uuid"' },
      { path: ["customer", "name"], message: "must not have fewer than 1 characters" },
      { path: ["lines", 1, "count"], message: "must be at least 1" },
    ]);
  });

  test("takes an undefined member as absent, as JSON does", () => {
    expect(issuesOf(everyday.Line, { ...LINE, unit: undefined })).toBeUndefined();
    expect(issuesOf(everyday.Line, { ...LINE, count: undefined })).toEqual([
      { path: ["count"], message: "is required" },
    ]);
    expect(issuesOf(everyday.Card, { card: "1234", extra: undefined })).toBeUndefined();
    expect(issuesOf(everyday.Line, undefined)).toEqual([{ path: [], message: "is required" }]);
  });

  test("reports the closest alternative of a union", () => {
    expect(issuesOf(everyday.Payment, { iban: "DE12", reference: "x" })).toEqual([
      { path: ["reference"], message: "must be an integer" },
    ]);
  });

  test("never throws: not for a value that contains itself, or one that is nested very deeply", () => {
    const contract = toOperationContract(
      {},
      {
        Tree: {
          type: "object",
          properties: { left: { $ref: "#/components/schemas/Tree" } },
          additionalProperties: false,
        },
      },
    );
    const { Tree } = createValidators(contract);
    const interpret = createRuntime(contract, "request", createInterpreter())("#/components/schemas/Tree");
    if (Tree === undefined) throw new Error("There is no validator");
    const circular: { left?: unknown } = {};
    circular.left = circular;
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { left: deep };
    for (const value of [circular, deep]) {
      expect(issuesOf(Tree, value)).toEqual([{ path: [], message: "is nested too deeply" }]);
      expect(interpret(value)).toEqual([{ path: [], text: "is nested too deeply" }]);
    }
  });

  test("validates each object once, where two alternatives have the same recursive property", () => {
    const tree = (name: string) => ({
      type: "object",
      required: [name],
      properties: { [name]: { type: "string" }, left: { $ref: "#/components/schemas/Tree" } },
    });
    const { Tree } = createValidators(toOperationContract({}, { Tree: { anyOf: [tree("a"), tree("b")] } }));
    if (Tree === undefined) throw new Error("There is no validator");
    let value: object = { b: "x" };
    // Without the results that are kept, 2^200 validations.
    for (let level = 0; level < 200; level += 1) value = { b: "x", left: value };
    expect(issuesOf(Tree, value)).toBeUndefined();
    expect(issuesOf(Tree, { a: "x", b: "x", left: { left: 1 } })).toBeDefined();
  });

  test("keeps at most 100 problems", () => {
    const items = Array.from({ length: 50_000 }, () => "too long");
    expect(issuesOf(everyday.setLabelsBody, items)).toHaveLength(100);
  });

  test("takes a time that grows with the size of a list of unique items", () => {
    const items = Array.from({ length: 20_000 }, (_, index) => String(index).slice(0, 5));
    expect(issuesOf(everyday.setLabelsBody, items)).toBeUndefined();
  });
});

test("an operation's body is the validator of its component", () => {
  expect(everyday.payBody).toBe(everyday.Payment);
  expect(petlike.createPetBody).toBe(petlike.NewPet);
});

test("validators of responses go by operation, status and media type", () => {
  expect(Object.keys(petlike.responses)).toEqual(["listPets", "createPet", "getPet", "listOrders"]);
  expect(petlike.responses["getPet"]?.[200]?.["application/json"]).toBe(petlike.Pet);
});
