import { describe, expect, test } from "@jest/globals";
import { countUnfolded, createExtractor, mapReferences } from "../../../src/tenon/core/document/index.js";

const REF = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("createExtractor", () => {
  const document = {
    openapi: "3.1.0",
    paths: {
      "/pets": {
        get: { responses: { "200": { description: "Pets.", content: { "a/b": { schema: REF("Pet") } } } } },
      },
      "/cats": { get: { responses: { "200": { $ref: "#/paths/~1pets/get/responses/200" } } } },
    },
    components: {
      schemas: {
        Pet: {
          properties: { owner: REF("Owner") },
          discriminator: { propertyName: "kind", mapping: { d: "Dog" } },
        },
        Cat: { allOf: [REF("Pet"), { required: ["lives"] }] },
        Dog: {},
        Owner: { properties: { pets: { items: REF("Pet") } } },
        Unused: {},
      },
    },
  };
  const extract = createExtractor(document);

  test("a part has the components that it refers to, by a discriminator and by extension too, and no others", () => {
    const { paths, components } = extract({ paths: { "/pets": document.paths["/pets"] } });
    expect(paths).toEqual({ "/pets": document.paths["/pets"] });
    expect(Object.keys((components as { schemas: object }).schemas).sort()).toEqual([
      "Cat",
      "Dog",
      "Owner",
      "Pet",
    ]);
  });

  test("the target of a reference into another operation is moved, and what it needs comes with it", () => {
    const {
      paths,
      components,
      "x-referenced": moved,
    } = extract({ paths: { "/cats": document.paths["/cats"] } });
    expect(paths).toEqual({ "/cats": { get: { responses: { "200": { $ref: "#/x-referenced/0" } } } } });
    expect(moved).toEqual([document.paths["/pets"].get.responses["200"]]);
    expect(components).toHaveProperty("schemas.Pet");
  });

  test("references that lead nowhere stay", () => {
    const part = { "x-part": [REF("Missing"), { $ref: "other.yaml#/a" }] };
    expect(extract(part)).toEqual({ ...part, components: {} });
  });
});

describe("countUnfolded", () => {
  test.each<[string, object, number]>([
    ["every object counts", { a: { b: {} }, c: [{}, {}] }, 5],
    ["a target counts at each reference", { a: { $ref: "#/t" }, b: { $ref: "#/t" }, t: { x: {} } }, 9],
    ["a circular reference counts once on each way in", { a: { self: { $ref: "#/a" } } }, 5],
    ["counting ends above the limit", { a: [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}] }, 11],
  ])("%s", (_, document, count) => {
    expect(countUnfolded({ ...document }, 10)).toBe(count);
  });
});

test("mapReferences replaces references at any depth, and keeps a member called __proto__", () => {
  const value = JSON.parse('{"a":[{"$ref":"#/x"},1],"__proto__":{"b":{"$ref":"#/y"}}}') as unknown;
  const mapped = mapReferences(value, (reference) => reference.toUpperCase());
  expect(JSON.stringify(mapped)).toBe('{"a":["#/X",1],"__proto__":{"b":"#/Y"}}');
});
