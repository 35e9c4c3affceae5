import { describe, expect, test } from "@jest/globals";
import { nameMappings } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { expandHierarchies } from "../../../src/tenon/core/schema/hierarchy.js";
import { findDiscriminator, SchemaRegistry } from "../../../src/tenon/core/schema/index.js";

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const toKinded = (kind: object) => ({ properties: { kind } });

/** Name to values, in short: `["A: a b", "B: c"]`. */
function read(choices: readonly unknown[], schemas: object, mapping?: object) {
  const discriminator = { propertyName: "kind", ...(mapping && { mapping }) };
  const union = { oneOf: choices, discriminator };
  const registry = new SchemaRegistry({ openapi: "3.1.0", components: { schemas: { ...schemas, union } } });
  return findDiscriminator(registry.component("union"), registry)?.choices.map(
    ({ reference, values }) => `${reference.replace("#/components/schemas/", "")}: ${values.join(" ")}`,
  );
}

describe("discriminator", () => {
  const any = { A: toKinded({ type: "string" }), B: toKinded({ type: "string" }) };
  const both = [refer("A"), refer("B")];

  test.each([
    ["no mapping", any, undefined, ["A: A", "B: B"]],
    ["a mapping by reference", any, { a: refer("A").$ref }, ["A: a", "B: B"]],
    ["a mapping by bare name", any, { a: "A", also: "A" }, ["A: a also", "B: B"]],
    ["a mapping to what is no choice", any, { c: "C" }, ["A: A", "B: B"]],
    [
      "constants",
      { A: toKinded({ const: 1 }), B: toKinded({ enum: ["b", "c"] }) },
      undefined,
      ["A: 1", "B: b c"],
    ],
    [
      "an enum that all share",
      { A: toKinded(refer("K")), B: toKinded(refer("K")), K: { enum: ["A", "B"] } },
      undefined,
      ["A: A", "B: B"],
    ],
    [
      "constants in allOf",
      { A: { allOf: [toKinded({ const: "x" })] }, B: toKinded({}) },
      undefined,
      ["A: x", "B: B"],
    ],
    [
      "a choice of choices",
      { A: { oneOf: [toKinded({ const: "x" }), toKinded({ const: "y" })] }, B: toKinded({}) },
      undefined,
      ["A: x y", "B: B"],
    ],
    ["a schema of itself", { A: { allOf: [refer("A")] }, B: {} }, undefined, ["A: A", "B: B"]],
    [
      "two with one value",
      { A: toKinded({ const: "x" }), B: toKinded({ const: "x" }) },
      undefined,
      undefined,
    ],
    ["a readOnly property", { A: toKinded({ readOnly: true }), B: {} }, undefined, undefined],
  ])("of %s", (_, schemas, mapping, want) => {
    expect(read(both, schemas, mapping)).toEqual(want);
  });

  test("needs choices with names", () => {
    expect(read([refer("A"), { type: "object" }], any)).toBeUndefined();
    expect(read([refer("A"), refer("B/properties/kind")], any)).toBeUndefined();
  });
});

describe("hierarchy", () => {
  test("is a union where it is used, and a base where it is extended", () => {
    const discriminator = { propertyName: "kind", mapping: { cat: refer("Cat").$ref } };
    const Cat = { allOf: [refer("Pet"), { properties: { indoor: {} } }] };
    const Described = { allOf: [refer("Pet")] };
    expect(expandHierarchies({ Pet: { type: "object", discriminator }, Cat, Described })).toEqual({
      Pet: {
        oneOf: [refer("Cat"), refer("Pet base")],
        discriminator: {
          propertyName: "kind",
          mapping: { cat: refer("Cat").$ref, Pet: refer("Pet base").$ref },
        },
      },
      "Pet base": { type: "object" },
      Cat: { allOf: [refer("Pet base"), { properties: { indoor: {} } }] },
      Described,
    });
  });

  test("has those who add nothing but are named by the mapping, and their heirs", () => {
    const Pet = { discriminator: { propertyName: "kind", mapping: { dog: refer("Dog").$ref } } };
    const Dog = { allOf: [refer("Pet")] };
    const Puppy = { allOf: [refer("Dog"), { properties: {} }] };
    const Wrapper = { allOf: [refer("Pet")] };
    expect(expandHierarchies({ Pet, Dog, Puppy, Wrapper })).toMatchObject({
      Pet: { oneOf: [refer("Dog"), refer("Puppy"), refer("Pet base")] },
      Dog: { allOf: [refer("Pet base")] },
      Wrapper: { allOf: [refer("Pet")] },
    });
  });

  test("needs somebody who extends", () => {
    const schemas = { Pet: { discriminator: { propertyName: "kind" } } };
    expect(expandHierarchies(schemas)).toBe(schemas);
  });

  test("may go in a circle", () => {
    const discriminator = { propertyName: "kind" };
    const A = { discriminator, allOf: [refer("B"), {}] };
    const B = { allOf: [refer("A"), {}] };
    expect(Object.keys(expandHierarchies({ A, B }))).toEqual(["A", "A base", "B"]);
  });
});

describe("a default mapping", () => {
  const AT = "#/components/schemas/Pet/discriminator/defaultMapping";
  const kinded = toKinded({ type: "string" });

  /** Lists the problems of a schema with the default, and how many alternatives its discriminator selects. */
  function build(defaultMapping: string, pet: object, others: object = {}) {
    const discriminator = { propertyName: "kind", defaultMapping };
    const schemas = { Cat: kinded, Dog: kinded, Pet: { ...pet, discriminator }, ...others };
    const problems: string[] = [];
    const document = { openapi: "3.2.0", info: { title: "Pets", version: "1.0.0" }, components: { schemas } };
    const { registry } = buildContract(document, {
      report: (code, pointer, message) => void problems.push(`${code} ${pointer} ${message}`),
    });
    const choices = findDiscriminator(registry.component("Pet"), registry)?.choices.map(
      ({ isDefault }) => isDefault,
    );
    return { problems, choices };
  }

  test.each(["Dog", refer("Dog").$ref])("to a schema that is not an alternative is ignored: %s", (target) => {
    const problems = [
      `mapping-ignored ${AT} \`defaultMapping\` is ignored: "Dog" is not one of the alternatives`,
    ];
    expect(build(target, { oneOf: [refer("Cat")] })).toEqual({ problems, choices: [false] });
    expect(build(target, { anyOf: [refer("Cat"), {}] })).toEqual({ problems, choices: undefined });
    expect(build(target, { type: "object" })).toEqual({ problems, choices: undefined });
    const heirs = { Lynx: { allOf: [refer("Pet"), {}] } };
    expect(build(target, { type: "object" }, heirs)).toEqual({ problems, choices: [false, false] });
  });

  test("to an alternative is applied", () => {
    expect(build("Dog", { oneOf: [refer("Cat"), refer("Dog")] })).toEqual({
      problems: [],
      choices: [false, true],
    });
    const heirs = { Lynx: { allOf: [refer("Pet"), {}] } };
    expect(build("Lynx", {}, heirs)).toEqual({ problems: [], choices: [true, false] });
    expect(build("Pet", {}, heirs)).toEqual({ problems: [], choices: [false, true] });
  });
});

test("bare names in a mapping become references, and others stay", () => {
  const mapping = { a: "A", file: "a.yaml", reference: "#/components/schemas/A" };
  const document = {
    components: { schemas: { A: {}, B: { discriminator: { propertyName: "kind", mapping } } } },
  };
  nameMappings(document);
  expect(mapping).toEqual({
    a: "#/components/schemas/A",
    file: "a.yaml",
    reference: "#/components/schemas/A",
  });
});
