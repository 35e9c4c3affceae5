import { describe, expect, test } from "@jest/globals";
import { createEov } from "../../../src/tenon/runtime/validation/eov.js";
import { countReads } from "../../support/count-reads.js";

const eov = createEov();
const validate = eov.request.compileValue({ type: "array", uniqueItems: true });

const bare = (members: object): object => Object.assign(Object.create(null) as object, members);

describe("uniqueItems finds equal items:", () => {
  test.each<[string, readonly unknown[], readonly [number, number] | undefined]>([
    ["none in an empty array", [], undefined],
    ["numbers and texts differ", [1, "1", "n1", true, "true", null, "null"], undefined],
    ["0 and -0 are equal", [0, 1, -0], [0, 2]],
    ["1 and 1.0 are equal", JSON.parse("[1.0, 1]") as unknown[], [0, 1]],
    ["the order of members does not matter", [{ a: 1, b: 2 }, bare({ b: 2, a: 1 })], [0, 1]],
    ["the order of items does", [{ a: [1, 2] }, { a: [2, 1] }], undefined],
    ["members that exist only once differ", [{ a: 1 }, { a: 1, b: null }], undefined],
    ["names are not values", [{ a: "b" }, ["a", "b"], { a: { b: null } }, '{"a":"b"}'], undefined],
    ["names that look like code differ", [{ 'a":1,"b': 1 }, { a: 1, b: 1 }], undefined],
    ["lone surrogates differ", ["\ud800", "\ud801"], undefined],
    ["__proto__ is a name", [JSON.parse('{"__proto__":1}'), {}, JSON.parse('{"__proto__":1}')], [0, 2]],
    ["… and a text", ["__proto__", "constructor", "__proto__"], [0, 2]],
    ["of several pairs the one that ends last, the nearest", [{}, [], {}, {}, []], [1, 4]],
    ["dates by their text", [new Date(0), new Date(1)], undefined],
  ])("%s", (_, items, want) => {
    const [j, i] = want ?? [];
    expect(validate(items)).toEqual(
      want ? [{ path: [], text: `must not have the same item twice, at ${j} and ${i}` }] : [],
    );
  });

  test("an item is read once, however many there are", () => {
    const read = (count: number): number => {
      const reads = countReads(Array.from({ length: count }, (_, index) => ({ id: index, tags: [index] })));
      expect(validate(reads.value)).toEqual([]);
      return reads.count();
    };
    const [short, long] = [read(100), read(1_000)];
    expect(long).toBeLessThanOrEqual(short * 10.5);
  });
});

test("items of lists within lists are read a number of times that does not grow with the depth", () => {
  const LIST = { $ref: "contract:S0:List" };
  const { request } = createEov();
  request.add({ type: ["array", "integer"], uniqueItems: true, items: LIST }, LIST.$ref);
  const lists = request.compileValue(LIST);
  const read = (depth: number): number => {
    const leaf = Array.from({ length: 1_000 }, (_, index) => [index]);
    const reads = countReads(Array.from({ length: depth }).reduce<object>((inner) => [0, inner], leaf));
    expect(lists(reads.value)).toEqual([]);
    return reads.count();
  };
  expect(read(40)).toBeLessThan(read(1) * 1.5);
});

describe("uniqueItems", () => {
  test("has no effect when it is false, or when the value is no array", () => {
    const off = eov.request.compileValue({ uniqueItems: false });
    expect(off([1, 1])).toEqual([]);
    expect(eov.response.compileValue({ uniqueItems: true })({ a: 1, b: 1 })).toEqual([]);
  });

  test("is checked in responses", () => {
    const items = { type: "array", uniqueItems: true, items: { type: ["string", "number"] } } as const;
    expect(eov.response.compileValue(items)(["a", 1, "a"])).toHaveLength(1);
  });
});
