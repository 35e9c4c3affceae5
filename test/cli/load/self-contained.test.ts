import { describe, expect, test } from "@jest/globals";
import { createConfig } from "@redocly/openapi-core";
import { isBundle } from "../../../src/cli/load/load.js";

const PET = { $ref: "#/components/schemas/Pet" };

/** A document with a pet and more in its components. */
function toDocument(more: object) {
  const schemas = { Pet: { type: "object" }, Alias: PET, ...more };
  return { openapi: "3.1.0", info: { title: "Test", version: "1.0.0" }, paths: {}, components: { schemas } };
}

const toUnion = (discriminator: object) => toDocument({ Union: { oneOf: [PET], discriminator } });

describe("a document is its own bundle", () => {
  const circle: Record<string, unknown> = { type: "array" };
  circle["items"] = circle;

  test.each([
    ["without references", toDocument({})],
    ["when they lead into it", toDocument({ Pets: { type: "array", items: PET } })],
    ["with a mapping to components", toUnion({ propertyName: "type", mapping: { pet: PET.$ref } })],
    ["with an extension", toDocument({ Toy: { "x-size": { largest: 3 } } })],
    ["with a reference in an extension", toDocument({ Toy: { "x-like": { deep: [PET] } } })],
    ["that YAML's aliases made a circle of", toDocument({ Circle: circle })],
  ])("%s", async (_, document) => {
    expect(isBundle(document, await createConfig({}))).toBe(true);
  });

  test.each([
    ["a reference leads to another file", toDocument({ Toy: { $ref: "toy.yaml" } })],
    ["a reference leads to its own file by name", toDocument({ Toy: { $ref: "openapi.yaml#/components" } })],
    ["a reference leads nowhere", toDocument({ Toy: { $ref: "#/components/schemas/Missing" } })],
    [
      "an extension has a reference to a file",
      toDocument({ Toy: { "x-like": { deep: [{ $ref: "toy.yaml" }] } } }),
    ],
    ["an example is in another file", toDocument({ Toy: { externalValue: "toy.json" } })],
    ["a mapping leads to a reference", toUnion({ mapping: { pet: "#/components/schemas/Alias" } })],
    ["a mapping leads into a component", toUnion({ mapping: { pet: "#/components/schemas/Union/oneOf/0" } })],
    ["a mapping leads to another file", toUnion({ mapping: { pet: "pet.yaml" } })],
    ["a default mapping leads to another file", toUnion({ defaultMapping: "pet.yaml" })],
    ["it has no components", { openapi: "3.1.0", paths: {} }],
  ])("not when %s", async (_, document) => {
    expect(isBundle(document, await createConfig({}))).toBe(false);
  });

  test.each([
    { decorators: { "remove-unused-components": "on" } },
    { preprocessors: { "own/any": "on" } },
  ] as const)("not when redocly.yaml has %j", async (changes) => {
    expect(isBundle(toDocument({}), await createConfig(changes))).toBe(false);
  });
});
