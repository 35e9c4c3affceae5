import { describe, expect, test } from "@jest/globals";
import { type Node, resolveDynamicReferences } from "../../../src/tenon/core/document/index.js";

const ref = (path: string) => ({ $ref: `#/components/schemas/${path}` });

const PAGE = {
  type: "object",
  properties: { items: { type: "array", items: { $dynamicRef: "#item" } } },
  $defs: { item: { $dynamicAnchor: "item" } },
};
const PAGE_AFTER = {
  type: "object",
  properties: { items: { type: "array", items: ref("Page/$defs/item") } },
  $defs: { item: {} },
};
const override = (schema: object) => ({ item: { $dynamicAnchor: "item", ...schema } });
const pageOf = (pointer: string) => ({
  ...PAGE_AFTER,
  properties: { items: { type: "array", items: { $ref: pointer } } },
});

const TREE = { $dynamicAnchor: "node", properties: { children: { items: { $dynamicRef: "#node" } } } };

describe("$dynamicRef", () => {
  test.each<readonly [name: string, given: Node, want: Node]>([
    [
      "an anchor that no one overrides is a $ref",
      { Tree: TREE },
      { Tree: { properties: { children: { items: ref("Tree") } } } },
    ],
    [
      "a recursive schema that is extended contains the extended schema",
      { Tree: TREE, Strict: { $dynamicAnchor: "node", ...ref("Tree"), unevaluatedProperties: false } },
      {
        Tree: { properties: { children: { items: ref("Tree") } } },
        Strict: { ...ref("Tree_Strict"), unevaluatedProperties: false },
        Tree_Strict: { properties: { children: { items: ref("Strict") } } },
      },
    ],
    [
      "a template is copied for each schema that fills it in",
      {
        Page: PAGE,
        Pets: { ...ref("Page"), $defs: override({ type: "string" }) },
        Shops: { allOf: [ref("Page")], $defs: override({ type: "integer" }) },
      },
      {
        Page: PAGE_AFTER,
        Pets: { ...ref("Page_Pets"), $defs: { item: { type: "string" } } },
        Shops: { allOf: [ref("Page_Shops")], $defs: { item: { type: "integer" } } },
        Page_Pets: pageOf("#/components/schemas/Pets/$defs/item"),
        Page_Shops: pageOf("#/components/schemas/Shops/$defs/item"),
      },
    ],
    [
      "the outermost schema wins, through any number of references",
      {
        Page: PAGE,
        Middle: { ...ref("Page"), $defs: override({ type: "string" }) },
        Outer: { ...ref("Middle"), $defs: override({ type: "integer" }) },
      },
      {
        Page: PAGE_AFTER,
        Middle: { ...ref("Page_Middle"), $defs: { item: { type: "string" } } },
        Outer: { ...ref("Middle_Outer"), $defs: { item: { type: "integer" } } },
        Page_Middle: pageOf("#/components/schemas/Middle/$defs/item"),
        Page_Outer: pageOf("#/components/schemas/Outer/$defs/item"),
        Middle_Outer: { ...ref("Page_Outer"), $defs: { item: { type: "string" } } },
      },
    ],
    [
      "a JSON pointer is a $ref",
      { A: { properties: { a: { $dynamicRef: "#/components/schemas/B" } } }, B: {} },
      { A: { properties: { a: ref("B") } }, B: {} },
    ],
    [
      "beside a $ref, both hold",
      { Tree: { ...TREE, properties: { a: { ...ref("B"), $dynamicRef: "#node" } } }, B: {} },
      { Tree: { properties: { a: { ...ref("B"), allOf: [ref("Tree")] } } }, B: {} },
    ],
    [
      "without an anchor it stays",
      { A: { properties: { a: { $dynamicRef: "#none" } } } },
      { A: { properties: { a: { $dynamicRef: "#none" } } } },
    ],
    [
      "with anchors of several other schemas it stays",
      { A: { $dynamicAnchor: "x" }, B: { $dynamicAnchor: "x" }, C: { not: { $dynamicRef: "#x" } } },
      { A: {}, B: {}, C: { not: { $dynamicRef: "#x" } } },
    ],
    [
      "in data it is data",
      { A: { ...TREE, default: { $dynamicRef: "#node" } } },
      { A: { default: { $dynamicRef: "#node" }, properties: { children: { items: ref("A") } } } },
    ],
  ])("%s", (_, schemas, want) => {
    const given = { openapi: "3.1.0", paths: {}, components: { schemas } };
    const { document } = resolveDynamicReferences(given);
    expect(document).toEqual({ ...given, components: { schemas: want } });
  });

  test("a schema of an operation fills in a template", () => {
    const schema = { ...ref("Page"), $defs: override({ type: "string" }) };
    const toPaths = (inline: unknown) => ({
      "/a": { get: { responses: { "200": { content: { "application/json": { schema: inline } } } } } },
    });
    const { document } = resolveDynamicReferences({
      openapi: "3.1.0",
      paths: toPaths(schema),
      components: { schemas: { Page: PAGE } },
    });
    const pointer = "#/paths/~1a/get/responses/200/content/application~1json/schema/$defs/item";
    expect(document).toEqual({
      openapi: "3.1.0",
      paths: toPaths({ ...ref("Page_2"), $defs: { item: { type: "string" } } }),
      components: { schemas: { Page: PAGE_AFTER, Page_2: pageOf(pointer) } },
    });
  });

  test("a document without it is returned unchanged", () => {
    const given = { openapi: "3.1.0", paths: {} };
    expect(resolveDynamicReferences(given).document).toBe(given);
  });
});
