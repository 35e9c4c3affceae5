import { describe, expect, test } from "@jest/globals";
import type { Parameter } from "../../../src/tenon/core/model/index.js";
import { defaultStyle, type ValueType } from "../../../src/tenon/core/parameters/index.js";
import { createParameterReader, parseQuery } from "../../../src/tenon/runtime/parameters/read-parameters.js";

type Row = readonly [style: Partial<Parameter>, type: ValueType, wire: string, want: unknown];

const ARRAY: ValueType = { items: "string" };
const OBJECT: ValueType = { properties: { R: "integer", G: "integer", B: "integer" } };

const PARAMETER: Omit<Parameter, "in" | "style" | "explode" | "type"> = {
  pointer: "#/parameters/0",
  declaredAt: "#/parameters/0",
  name: "color",
  required: false,
  hasDefault: false,
  schema: { pointer: "#/parameters/0/schema" },
  allowEmptyValue: false,
  allowReserved: false,
  declared: {
    style: "form",
    explode: true,
    schema: { pointer: "#/parameters/0/schema" },
    allowEmptyValue: false,
  },
  examples: [],
};

function toParameter(given: Partial<Parameter> & Pick<Parameter, "type">): Parameter {
  const { in: place = "query", style = defaultStyle(place) } = given;
  return { ...PARAMETER, in: place, style, explode: style === "form", ...given };
}

/** Reads one parameter called `color` from where it is written. */
function read(row: Partial<Parameter>, type: ValueType, wire: string): unknown {
  const parameter = toParameter({ ...row, type });
  const { in: place, name } = parameter;
  const values = createParameterReader({ parameters: [parameter] })({
    path: place === "path" ? { [name]: wire } : {},
    query: parseQuery(place === "query" ? wire : ""),
    search: "",
    lines: (header) => (header === (place === "header" ? name : place) ? [wire] : undefined),
  });
  return values[`${place}/${name}`];
}

const LIST = ["blue", "black", "brown"];
const RGB = { R: 100, G: 200, B: 150 };

/** @see https://spec.openapis.org/oas/v3.1.1#style-examples Every cell that is not "n/a", in every place of its style. */
const SPECIFIED: readonly Row[] = [
  [{ in: "path", style: "matrix" }, "string", ";color", ""],
  [{ in: "path", style: "matrix" }, "string", ";color=blue", "blue"],
  [{ in: "path", style: "matrix" }, ARRAY, ";color=blue,black,brown", LIST],
  [{ in: "path", style: "matrix" }, OBJECT, ";color=R,100,G,200,B,150", RGB],
  [{ in: "path", style: "matrix", explode: true }, "string", ";color", ""],
  [{ in: "path", style: "matrix", explode: true }, "string", ";color=blue", "blue"],
  [{ in: "path", style: "matrix", explode: true }, ARRAY, ";color=blue;color=black;color=brown", LIST],
  [{ in: "path", style: "matrix", explode: true }, OBJECT, ";R=100;G=200;B=150", RGB],
  [{ in: "path", style: "label" }, "string", ".", ""],
  [{ in: "path", style: "label" }, "string", ".blue", "blue"],
  [{ in: "path", style: "label" }, ARRAY, ".blue,black,brown", LIST],
  [{ in: "path", style: "label" }, OBJECT, ".R,100,G,200,B,150", RGB],
  [{ in: "path", style: "label", explode: true }, "string", ".", ""],
  [{ in: "path", style: "label", explode: true }, "string", ".blue", "blue"],
  [{ in: "path", style: "label", explode: true }, ARRAY, ".blue.black.brown", LIST],
  [{ in: "path", style: "label", explode: true }, OBJECT, ".R=100.G=200.B=150", RGB],
  ...(["path", "header"] as const).flatMap((place): Row[] => [
    [{ in: place }, "string", "", ""],
    [{ in: place }, "string", "blue", "blue"],
    [{ in: place }, ARRAY, "blue,black,brown", LIST],
    [{ in: place }, OBJECT, "R,100,G,200,B,150", RGB],
    [{ in: place, explode: true }, "string", "blue", "blue"],
    [{ in: place, explode: true }, ARRAY, "blue,black,brown", LIST],
    [{ in: place, explode: true }, OBJECT, "R=100,G=200,B=150", RGB],
  ]),
  ...(["query", "cookie"] as const).flatMap((place): Row[] => [
    [{ in: place, explode: false, allowEmptyValue: true }, "string", "color=", ""],
    [{ in: place, explode: false }, "string", "color=blue", "blue"],
    [{ in: place, explode: false }, ARRAY, "color=blue,black,brown", LIST],
    [{ in: place, explode: false }, OBJECT, "color=R,100,G,200,B,150", RGB],
    [{ in: place, allowEmptyValue: true }, "string", "color=", ""],
    [{ in: place }, "string", "color=blue", "blue"],
    [{ in: place }, ARRAY, "color=blue&color=black&color=brown", LIST],
    [{ in: place }, OBJECT, "R=100&G=200&B=150", RGB],
  ]),
  [{ style: "spaceDelimited" }, ARRAY, "color=blue%20black%20brown", LIST],
  [{ style: "spaceDelimited" }, OBJECT, "color=R%20100%20G%20200%20B%20150", RGB],
  [{ style: "pipeDelimited" }, ARRAY, "color=blue%7Cblack%7Cbrown", LIST],
  [{ style: "pipeDelimited" }, OBJECT, "color=R%7C100%7CG%7C200%7CB%7C150", RGB],
  [{ style: "deepObject", explode: true }, OBJECT, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150", RGB],
];

/** What the table leaves open and common practice does, as decisions/0008 says. */
const ACCEPTED: readonly Row[] = [
  [{ style: "deepObject" }, OBJECT, "color[R]=100&color[G]=200", { R: 100, G: 200 }],
  [
    { style: "deepObject" },
    { properties: { a: { properties: { b: "integer" } } } },
    "color[a][b]=1",
    { a: { b: 1 } },
  ],
  [
    { style: "deepObject" },
    { properties: { a: { items: "integer" } } },
    "color[a]=1&color[a]=2",
    { a: [1, 2] },
  ],
  [{ style: "deepObject" }, { properties: { a: { items: "integer" } } }, "color[a][]=1", { a: [1] }],
  [{}, { properties: { a: { items: "integer" } } }, "a=1&a=2", { a: [1, 2] }],
  [{ style: "pipeDelimited" }, ARRAY, "color=blue|black|brown", LIST],
  [{ style: "pipeDelimited", explode: true }, ARRAY, "color=blue&color=black&color=brown", LIST],
  [{ style: "spaceDelimited" }, ARRAY, "color=blue+black+brown", LIST],
  [{ style: "spaceDelimited", explode: true }, OBJECT, "R=100&G=200&B=150", RGB],
  [{ in: "cookie" }, ARRAY, "color=blue; color=black; color=brown", LIST],
  [{ in: "cookie" }, OBJECT, "R=100; other=1; G=200; B=150", RGB],
  [{ in: "header" }, ARRAY, "blue, black ,brown", LIST],
];

const ITEMS: ValueType = { items: { properties: { a: "integer", tags: { items: "string" } } } };
const CREATED: ValueType = ["integer", { properties: { gt: "integer" } }];
const ANY: ValueType = ["string", { items: "string" }, { additionalProperties: "string" }];
const deep = { style: "deepObject" } as const;

/** Brackets say more than objects, and names tell which alternative of a union is meant. */
const BRACKETS: readonly Row[] = [
  [deep, "integer", "color=5", 5],
  [deep, ARRAY, "color[]=a&color[]=b", ["a", "b"]],
  [deep, ARRAY, "color=a&color=b", ["a", "b"]],
  [deep, ARRAY, "color[1]=b&color[0]=a", ["a", "b"]],
  [deep, ARRAY, "color%5B0%5D=a", ["a"]],
  [deep, ARRAY, "color[]=", [""]],
  [deep, ARRAY, "color[0]=", [""]],
  [deep, ITEMS, "color[0][a]=1&color[1][a]=2&color[0][tags][]=x", [{ a: 1, tags: ["x"] }, { a: 2 }]],
  [deep, ITEMS, "color[][a]=1&color[][a]=2", [{ a: 1 }, { a: 2 }]],
  [deep, ITEMS, "color[][tags][]=x", [{ tags: ["x"] }]],
  [deep, { items: { items: "integer" } }, "color[0][0]=1&color[0][1]=2&color[1]=3", [[1, 2], [3]]],
  [deep, CREATED, "color=5", 5],
  [deep, CREATED, "color[gt]=5", { gt: 5 }],
  [{ ...deep, allowEmptyValue: true }, ANY, "color=", ""],
  [deep, ANY, "color=a", "a"],
  [deep, ANY, "color=a&color=b", ["a", "b"]],
  [deep, ANY, "color[0]=a", ["a"]],
  [deep, ANY, "color[]=a", ["a"]],
  [deep, ANY, "color[a]=b&color[0]=c", { a: "b", 0: "c" }],
  [deep, { additionalProperties: ITEMS }, "color[__proto__][0][a]=1", { ["__proto__"]: [{ a: 1 }] }],
  [deep, ["integer", { items: "integer" }], "color=1", 1],
  [deep, ["integer", { items: "integer" }], "color[]=1", [1]],
];

/** An escaped delimiter is part of a value, and what is empty stays so. */
const EXACT: readonly Row[] = [
  [{ explode: false }, ARRAY, "color=a%2Cb,c", ["a,b", "c"]],
  [{ explode: false }, ARRAY, "color=a,,b", ["a", "", "b"]],
  [{ explode: false }, OBJECT, "color=%52,1", { R: 1 }],
  [{}, ARRAY, "color=a,b&color=c%26d", ["a,b", "c&d"]],
  [{}, ARRAY, "color=&color=a", ["", "a"]],
  [{ allowEmptyValue: true }, ARRAY, "color=", []],
  [{ explode: false, allowEmptyValue: true }, ARRAY, "color", []],
  [{ in: "cookie" }, ARRAY, "color=", []],
  [{ in: "cookie" }, "string", "color=a&b", "a&b"],
  [{ in: "cookie" }, ["null", "string"], "color=a&b", "a&b"],
  [{ in: "cookie" }, ["integer", "string"], "other=1&color=2; color=1&other=2", "1&other=2"],
  [{}, { properties: { color: "string" } }, "color=", { color: "" }],
  [{ in: "header" }, ARRAY, "", []],
  [{ in: "header" }, "string", "100%, a%2C", "100%, a%2C"],
  [{ in: "path" }, ARRAY, "a%2Cb,c%2Fd", ["a,b", "c/d"]],
  [{ in: "path" }, "string", "a+b%20c", "a+b c"],
  [{ in: "path", style: "label", explode: true }, ARRAY, ".a%2Eb.c", ["a.b", "c"]],
  [{ in: "path", style: "label" }, { items: "number" }, ".1.5,2", [1.5, 2]],
  [{ in: "path", style: "label" }, ARRAY, ".", []],
  [{ in: "path", style: "matrix" }, ARRAY, ";color", []],
  [{ in: "path", style: "matrix", explode: true }, ARRAY, ";color=a%3Bb", ["a;b"]],
  [{ name: "a[b]" }, "string", "a[b]=1", "1"],
  [{ name: "ids[]" }, { items: "integer" }, "ids[]=1&ids%5B%5D=2", [1, 2]],
  [{}, { additionalProperties: "integer" }, "a=1&__proto__=2", { a: 1, ["__proto__"]: 2 }],
  [{ style: "deepObject" }, { additionalProperties: "string" }, "color[constructor]=x", { constructor: "x" }],
];

/** A union takes the first that fits of null, boolean, integer, number, string, then array. */
const UNIONS: readonly Row[] = [
  [{}, ["integer", "string"], "color=1", 1],
  [{}, ["string", "integer"], "color=1", 1],
  [{}, ["integer", "string"], "color=01", "01"],
  [{}, ["integer", "string"], "color=9007199254740993", "9007199254740993"],
  [{}, ["null", "boolean", "string"], "color=null", null],
  [{}, ["null", "boolean", "string"], "color=true", true],
  [{}, ["boolean", "number"], "color=1.5", 1.5],
  [{}, ["string", { items: "string" }], "color=a", "a"],
  [{}, ["string", { items: "string" }], "color=a&color=b", ["a", "b"]],
  [{}, ["integer", { items: "string" }], "color=a", ["a"]],
  [{ explode: false }, ["integer", { items: "integer" }], "color=1,2", [1, 2]],
  [{}, { items: ["integer", "string"] }, "color=1&color=a", [1, "a"]],
  [{ allowEmptyValue: true }, ["string", { items: "string" }], "color=", ""],
  [{ allowEmptyValue: true }, ["integer", { items: "string" }], "color=", []],
  [{ explode: false }, ["string", { items: "string" }], "color=a%2Cb", "a,b"],
  [{ style: "pipeDelimited" }, "string", "color=a|b", "a|b"],
];

describe.each([
  ["of the specification's table", SPECIFIED],
  ["of common practice", ACCEPTED],
  ["in brackets", BRACKETS],
  ["exactly", EXACT],
  ["of several types", UNIONS],
])("reads parameters %s", (_, rows) => {
  test.each(rows)("%j as %j: %s", (style, type, wire, want) => {
    const value = read(style, type, wire);
    expect(value).toEqual(want);
    expect(Object.keys(Object(value) as object)).toEqual(Object.keys(Object(want) as object));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    expect(isObject ? Object.getPrototypeOf(value) : null).toBeNull();
  });
});

describe("refuses", () => {
  const nested: ValueType = { properties: { age: "integer", tags: { items: "integer" } } };

  test.each<[Partial<Parameter>, Parameter["type"], string, string]>([
    [{}, "integer", "color=x", 'Query parameter "color" must be an integer in plain decimal digits'],
    [{}, "string", "color=a&color=b", 'Query parameter "color" must be a string, and only once'],
    [{ explode: false }, ARRAY, "color=a&color=b", 'Query parameter "color" must be an array, and only once'],
    [{}, "string", "color=", 'Query parameter "color" must not be empty'],
    [{}, ARRAY, "color", 'Query parameter "color" must not be empty'],
    [{}, "string", "color=a%00", 'Query parameter "color" has a NUL character'],
    [{}, "string", "color=%zz", 'Query parameter "color" has a bad percent-escape'],
    [{ in: "path" }, "string", "%C0%AF", 'Path parameter "color" has a bad percent-escape'],
    [{ in: "cookie" }, "string", "color=%", 'Cookie "color" has a bad percent-escape'],
    [{ in: "path", style: "label" }, "string", "blue", 'Path parameter "color" must start with "."'],
    [
      { in: "path", style: "matrix" },
      "string",
      ";colour=1",
      'Path parameter "color" must be written as ";color=" and the value',
    ],
    [{ in: "header" }, OBJECT, "R,1,G", 'Header "color" must be a list of names, each followed by its value'],
    [{ in: "header" }, OBJECT, "R,1,R,2", 'Header "color[R]" must come only once'],
    [
      { in: "header" },
      { items: "integer" },
      "1,x",
      'Header "color[1]" must be an integer in plain decimal digits',
    ],
    [{}, OBJECT, "R=x", 'Query parameter "R" must be an integer in plain decimal digits'],
    [{}, OBJECT, "R=1&X=1", 'Query parameter "X" is unknown'],
    [{ explode: false }, OBJECT, "color=X,1", 'Query parameter "color[X]" is unknown'],
    [
      { style: "deepObject" },
      nested,
      "color[age]=x",
      'Query parameter "color[age]" must be an integer in plain decimal digits',
    ],
    [
      { style: "deepObject" },
      nested,
      "color[tags]=1&color[tags]=x",
      'Query parameter "color[tags][1]" must be an integer in plain decimal digits',
    ],
    [
      { style: "deepObject" },
      nested,
      "color[age][x]=1",
      'Query parameter "color[age]" must be an integer in plain decimal digits',
    ],
    [{ style: "deepObject" }, nested, "color[typo]=1", 'Query parameter "color[typo]" is unknown'],
    [
      { style: "deepObject" },
      nested,
      "color[__proto__][x]=1",
      'Query parameter "color[__proto__]" is unknown',
    ],
    [{ style: "deepObject" }, nested, "color=1", 'Query parameter "color" must be an object'],
    [{ style: "deepObject" }, nested, "color[age=1", 'Query parameter "color[age" is unknown'],
    ...(
      [
        [ITEMS, "color[99999999][a]=1", '"color" must have an index for each item, from 0 on'],
        [ITEMS, "color[0][a]=1&color[2][a]=1", '"color" must have an index for each item, from 0 on'],
        [ITEMS, "color[0][a]=1&color[01][a]=1", '"color" must have an index for each item, from 0 on'],
        [ITEMS, "color[length][a]=1", '"color" must have an index for each item, from 0 on'],
        [ITEMS, "color[0][a]=1&color[][a]=1", '"color" must have an index for each item, from 0 on'],
        [
          ITEMS,
          "color[][a]=1&color[][tags]=x",
          '"color" must have an index for each item, because empty brackets are ambiguous here',
        ],
        [
          ITEMS,
          "color[][tags][]=x&color[][tags][]=y",
          '"color" must have an index for each item, because empty brackets are ambiguous here',
        ],
        [
          ITEMS,
          "color[0][a]=1&color[0][a]=2",
          '"color[0][a]" must be an integer in plain decimal digits, and only once',
        ],
        [ITEMS, "color[0][a]=0x1", '"color[0][a]" must be an integer in plain decimal digits'],
        [
          ITEMS,
          "color[0][a]=9007199254740993",
          '"color[0][a]" must be from -9007199254740991 to 9007199254740991',
        ],
        [ITEMS, "color[0][b]=1", '"color[0][b]" is unknown'],
        [ITEMS, "color[0][__proto__]=1", '"color[0][__proto__]" is unknown'],
        [ITEMS, "color[0][a][0]=1", '"color[0][a]" must be an integer in plain decimal digits'],
        [ITEMS, "color=x", '"color[0]" must be an object'],
        [
          ITEMS,
          "color[0]=x&color[0][a]=1",
          '"color[0]" must be written in one way: with brackets or without',
        ],
        [ARRAY, "color=a&color[]=b", '"color" must be written in one way: with brackets or without'],
        [ARRAY, "color[0]=a%00", '"color[0]" has a NUL character'],
        [CREATED, "color[lt]=1", '"color[lt]" is unknown'],
        [CREATED, "color=x", '"color" must be an integer in plain decimal digits or an object'],
        [
          CREATED,
          "color=1&color=2",
          '"color" must be an integer in plain decimal digits or an object, and only once',
        ],
        ["integer", "color[a]=1", '"color" must be an integer in plain decimal digits'],
      ] as const
    ).map(([type, wire, message]): [Partial<Parameter>, ValueType, string, string] => [
      deep,
      type,
      wire,
      `Query parameter ${message}`,
    ]),
    [{}, ["null", "boolean"], "color=1", 'Query parameter "color" must be null or true or false'],
    [{}, "json", "color={", 'Query parameter "color" is not JSON (character 2)'],
    [
      {},
      ["string", { json: ["object"] }],
      "color={blue}",
      'Query parameter "color" is not JSON (character 2)',
    ],
    [
      {},
      ["integer", { json: ["object", "array"] }],
      "color=blue",
      'Query parameter "color" must be an integer in plain decimal digits or a JSON object or a JSON array',
    ],
    [{}, "json", 'color={"a":1,"a":2}', 'Query parameter "color" has a member twice (character 8)'],
  ])("%j as %j: %s", (style, type, wire, message) => {
    expect(() => read(style, type, wire)).toThrow(expect.objectContaining({ status: 400, message }));
  });
});

describe("JSON", () => {
  test.each([
    [{}, 'color={"a":[1,null]}', { a: [1, null] }],
    [{}, "color=%22a%2Bb%22", "a+b"],
    [{ in: "path" as const }, "%7B%7D", {}],
    [{ in: "header" as const }, '["a, b", 1]', ["a, b", 1]],
    [{ in: "cookie" as const }, "color=[1,2]", [1, 2]],
  ])("%j: %s", (style, wire, want) => {
    expect(read(style, "json", wire)).toEqual(want);
  });

  const STRING_OR_OBJECT: ValueType = ["string", { json: ["object"] }];
  const NUMBER_OR_BOTH: ValueType = ["null", "number", { json: ["object", "array"] }];
  test.each<[Partial<Parameter>, ValueType, wire: string, want: unknown]>([
    [{}, STRING_OR_OBJECT, "color=blue", "blue"],
    [{}, STRING_OR_OBJECT, "color=5", "5"],
    [{}, STRING_OR_OBJECT, "color=null", "null"],
    [{}, STRING_OR_OBJECT, "color=%22blue%22", '"blue"'],
    [{}, STRING_OR_OBJECT, "color=[blue]", "[blue]"],
    [{}, STRING_OR_OBJECT, "color=%20{}", " {}"],
    [{}, STRING_OR_OBJECT, 'color={"a,b":[1]}', { "a,b": [1] }],
    [{ explode: false }, STRING_OR_OBJECT, 'color={"a":1,"b":2}', { a: 1, b: 2 }],
    [{ in: "path" }, STRING_OR_OBJECT, "a,b", "a,b"],
    [{ in: "path" }, STRING_OR_OBJECT, "%7B%22a%22:1%7D", { a: 1 }],
    [{ in: "header" }, STRING_OR_OBJECT, '{"a": 1}', { a: 1 }],
    [{ in: "cookie" }, STRING_OR_OBJECT, "color=a", "a"],
    [{}, NUMBER_OR_BOTH, "color=5", 5],
    [{}, NUMBER_OR_BOTH, "color=null", null],
    [{}, NUMBER_OR_BOTH, "color=[1,[2]]", [1, [2]]],
    [{}, NUMBER_OR_BOTH, "color={}", {}],
  ])("beside other types, %j as %j: %s", (style, type, wire, want) => {
    expect(read(style, type, wire)).toEqual(want);
  });
});

describe("a query", () => {
  const parameters: readonly Parameter[] = [
    toParameter({ name: "page", type: "integer" }),
    toParameter({ name: "filter", style: "deepObject", type: { properties: { a: "string" } } }),
    toParameter({ name: "rest", type: { additionalProperties: "integer" } }),
  ];
  const run = (query: string, of = parameters) =>
    createParameterReader(
      { parameters: of },
      { apiKeys: ["key"] },
    )({
      path: {},
      query: parseQuery(query),
      search: "",
      lines: () => undefined,
    });

  test("gives undeclared names to an object with additional properties", () => {
    expect(run("page=1&x=2&filter[a]=b&key=secret")).toEqual({
      "query/page": 1,
      "query/filter": { a: "b" },
      "query/rest": { x: 2 },
    });
  });

  test("knows the names of credentials, and reports every problem", () => {
    expect(run("key=secret", parameters.slice(0, 2))).toEqual({});
    const message =
      'Query parameter "page" must be an integer in plain decimal digits; Query parameter "x" is unknown';
    expect(() => run("page=x&x=1", parameters.slice(0, 2))).toThrow(expect.objectContaining({ message }));
  });
});

test("many brackets and many items can be read", () => {
  const name = `color${"[a]".repeat(10_000)}`;
  const refuse = (type: ValueType) => () => read(deep, type, `${name}=1`);
  expect(refuse({ additionalProperties: "string" })).toThrow('"color[a]" must be a string');
  const many = Array.from({ length: 5_000 }, (_, index) => `color[${index}][a]=${index}`).join("&");
  expect(read(deep, ITEMS, many)).toHaveLength(5_000);
});
