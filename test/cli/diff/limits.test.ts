import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { SchemaGraph } from "../../../src/cli/diff/schema/graph.js";
import { toConjunction } from "../../../src/cli/diff/schema/normal-form/conjunction.js";
import { SchemaRegistry } from "../../../src/tenon/core/schema/index.js";
import { listChanges, toContract } from "./pair.js";
import { reverse } from "./rewrite.js";

/**
 * A rich text: blocks that contain blocks and inlines, and fragments that narrow the blocks of another schema with `allOf`, as in
 * the document of GitBook. Without tags, alternatives may overlap.
 */
function createText({ tagged, size = 12 }: { readonly tagged: boolean; readonly size?: number }) {
  const toReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const toUnion = (names: readonly string[]) => ({ oneOf: names.map(toReference) });
  const numbers = Array.from({ length: size }, (_, index) => index);
  const [blocks, inlines] = ["Block", "Inline"].map((kind) =>
    numbers.map((number) => `${kind}${number}`),
  ) as [string[], string[]];
  const toNode = (name: string, index: number, union: object) => {
    const type = tagged ? { type: { type: "string", enum: [name] } } : {};
    const own = { [`${name}Size`]: { type: "integer", maximum: index } };
    const fragments = { allOf: [toReference("Fragment"), { properties: { nodes: { items: union } } }] };
    const properties = { ...type, ...own, nodes: { type: "array", items: union }, fragments };
    return { type: "object", required: tagged ? ["type", "nodes"] : ["nodes"], properties };
  };
  return {
    Text: toUnion(blocks),
    Fragment: {
      type: "object",
      properties: { nodes: { type: "array", items: toUnion([...blocks, ...inlines]) } },
    },
    ...Object.fromEntries(
      blocks.map((name, index) => [
        name,
        toNode(name, index, toUnion([...blocks.slice(0, index), ...inlines.slice(index)])),
      ]),
    ),
    ...Object.fromEntries(
      inlines.map((name, index) => [name, toNode(name, index, toUnion(inlines.slice(index)))]),
    ),
  };
}

function toRegistry(schemas: object): SchemaRegistry {
  return new SchemaRegistry({ openapi: "3.1.0", components: { schemas } });
}

/** Compares a text with itself in another order. */
function compare(schemas: object) {
  const registries = { base: toRegistry(schemas), revision: toRegistry(reverse({ ...schemas })) };
  const graph = new SchemaGraph(registries, "response");
  const { base, revision } = registries;
  const found = graph.compare(
    toConjunction(base.component("Text")),
    toConjunction(revision.component("Text")),
  );
  return { names: found.map(({ difference }) => difference.name), steps: graph.steps };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe("the comparison of circular unions", () => {
  test("takes few steps where a property distinguishes the alternatives", () => {
    const { names, steps } = compare(createText({ tagged: true }));
    expect(names).toEqual([]);
    expect(steps).toBeLessThan(500);
  });

  test("ends at the limit where nothing distinguishes them, and says so", () => {
    jest.replaceProperty(SchemaGraph, "maxSteps", 1000);
    const { names, steps } = compare(createText({ tagged: false }));
    expect(new Set(names)).toEqual(new Set(["alternatives-not-compared"]));
    // Each pair that is left over asks for one more step.
    expect(steps).toBeLessThan(2000);
  });
});

test("a union with a tag takes work in proportion to the number of its alternatives", () => {
  const countReads = (size: number): number => {
    const reads = jest.spyOn(SchemaRegistry.prototype, "parts");
    const Text = {
      oneOf: Array.from({ length: size }, (_, index) => ({
        type: "object",
        required: ["type"],
        properties: { type: { const: `t${index}` } },
      })),
    };
    compare({ Text });
    const { length } = reads.mock.calls;
    reads.mockRestore();
    return length;
  };
  expect(countReads(600)).toBeLessThan(3 * countReads(300));
});

test("a schema behind the limit is risky", async () => {
  const text = {
    ...toContract({ $ref: "#/components/schemas/Text" }),
    components: { schemas: createText({ tagged: false, size: 3 }) },
  };
  jest.replaceProperty(SchemaGraph, "maxSteps", 5);
  const changes = await listChanges(text, { ...text });
  expect(changes).toEqual([
    "risky request-alternatives-not-compared",
    "risky response-alternatives-not-compared",
  ]);
});
