import { describe, expect, test } from "@jest/globals";
import { findUndeclared } from "../../../src/cli/verify/checks/undeclared.js";
import { SchemaRegistry } from "../../../src/tenon/core/schema/index.js";

const schemas = {
  Pet: {
    type: "object",
    properties: { id: { type: "integer" }, owner: { $ref: "#/components/schemas/Owner" } },
  },
  Owner: { properties: { name: { type: "string" } } },
  Cat: { type: "object", properties: { kind: { enum: ["cat"] }, lives: { type: "integer" } } },
  Dog: { type: "object", properties: { kind: { enum: ["dog"] }, breed: { type: "string" } } },
};
const ref = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` });

function find(schema: object, value: unknown): readonly string[] {
  const registry = new SchemaRegistry({
    openapi: "3.1.0",
    components: { schemas: { ...schemas, Own: schema } },
  });
  const found = findUndeclared(registry.component("Own"), value, { registry, side: "response" });
  return Array.from(found, ({ at, names, pointer }) => `${at} ${names.join()} ${pointer}`);
}

const PET = "#/components/schemas/Pet";
const OWNER = "#/components/schemas/Owner";

describe("members are undeclared", () => {
  test.each([
    ["in an object", ref("Pet"), { id: 1, hash: "x", salt: "y" }, [` hash,salt ${PET}`]],
    ["in a member", ref("Pet"), { owner: { name: "a", hash: 1 } }, [`/owner hash ${OWNER}`]],
    ["in an item", { type: "array", items: ref("Pet") }, [{ id: 1 }, { hash: 1 }], [`/1 hash ${PET}`]],
    [
      "in no part of allOf",
      { allOf: [ref("Pet"), ref("Owner")] },
      { id: 1, name: "a", hash: 1 },
      [" hash #/components/schemas/Own"],
    ],
    [
      "beside null",
      { oneOf: [ref("Pet"), { type: "null" }] },
      { hash: 1 },
      [" hash #/components/schemas/Own"],
    ],
    [
      "in no alternative",
      { oneOf: [ref("Cat"), ref("Dog")] },
      { kind: "cat", breed: "b", hash: 1 },
      [" hash #/components/schemas/Own"],
    ],
    [
      "beside alternatives that only require",
      { properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { a: 1, hash: 1 },
      [" hash #/components/schemas/Own"],
    ],
  ])("%s", (_, schema, value, found) => {
    expect(find(schema, value)).toEqual(found);
  });
});

describe("members are not reported", () => {
  test.each([
    ["that are declared", ref("Pet"), { id: 1, owner: { name: "a" } }],
    ["that additionalProperties allows", { ...schemas.Pet, additionalProperties: true }, { hash: 1 }],
    [
      "that additionalProperties forbids: the body is invalid",
      { ...schemas.Pet, additionalProperties: false },
      { hash: 1 },
    ],
    [
      "that unevaluatedProperties allows",
      { ...schemas.Pet, unevaluatedProperties: { type: "string" } },
      { hash: 1 },
    ],
    ["of a map", { type: "object", additionalProperties: { type: "integer" } }, { a: 1 }],
    ["of an object without declared members", { type: "object" }, { a: 1 }],
    ["of an alternative that is any object", { oneOf: [ref("Pet"), { type: "object" }] }, { hash: 1 }],
    ["of an alternative that is anything", { anyOf: [ref("Pet"), {}] }, { hash: 1 }],
    ["that a request has sent", ref("Pet"), { id: 1, surelyNotDeclared: 1 }],
  ])("%s", (_, schema, value) => {
    expect(find(schema, value)).toEqual([]);
  });
});
