import { describe, expect, test } from "@jest/globals";
import { findClientBreaks } from "../../../src/cli/impact/clients/find-client-breaks.js";
import { pairOperations } from "../../../src/cli/impact/operation-pairs.js";
import { toSides } from "./sides.js";

/** An operation in both contracts, and the reasons why code that calls it may no longer compile. */
interface Case {
  readonly what: string;
  readonly base: string;
  readonly revision: string;
  readonly breaks: readonly string[];
}

const DONE = 'responses: { "204": { description: Done. } }';
const query = (schema: string, required = false) =>
  `{ parameters: [{ name: limit, in: query, required: ${required}, schema: ${schema} }], ${DONE} }`;
const content = (schemas: Readonly<Record<string, string>>) =>
  `{ ${Object.entries(schemas)
    .map(([name, schema]) => `${name}: { schema: ${schema} }`)
    .join(", ")} }`;
const body = (schemas: Readonly<Record<string, string>>, required = true) =>
  `{ requestBody: { required: ${required}, content: ${content(schemas)} }, ${DONE} }`;
const answer = (schema: string, others = "") =>
  `{ responses: { "200": { description: Fine., content: ${content({ "application/json": schema })} }${others} } }`;
const error = (status: string, schema: string) =>
  `, "${status}": { description: Wrong., content: ${content({ "application/json": schema })} }`;
const object = (properties: string, required = "[]") =>
  `{ type: object, required: ${required}, properties: { ${properties} } }`;

const NOTHING = `{ ${DONE} }`;
const JSON_TYPE = "application/json";
const PROBLEM = object("code: { type: string }", "[code]");

const CASES: readonly Case[] = [
  {
    what: "a parameter that is new",
    base: NOTHING,
    revision: query("{ type: integer }"),
    breaks: [],
  },
  {
    what: "a parameter that is new and required",
    base: NOTHING,
    revision: query("{ type: integer }", true),
    breaks: ["params.query is required now"],
  },
  {
    what: "a parameter that becomes required",
    base: query("{ type: integer }"),
    revision: query("{ type: integer }", true),
    breaks: ["params.query.limit is required now"],
  },
  {
    what: "a parameter that becomes optional",
    base: query("{ type: integer }", true),
    revision: query("{ type: integer }"),
    breaks: [],
  },
  {
    what: "a parameter that is gone, which assignability alone forgives",
    base: `{ parameters: [{ name: limit, in: query, schema: {} }, { name: page, in: query, schema: {} }], ${DONE} }`,
    revision: query("{}"),
    breaks: ["params.query.page is no longer accepted"],
  },
  {
    what: "the last parameter, gone",
    base: query("{ type: integer }"),
    revision: NOTHING,
    breaks: ["params.query is no longer accepted"],
  },
  {
    what: "a parameter of another type",
    base: query("{ type: integer }"),
    revision: query("{ type: string }"),
    breaks: ["params.query.limit changed from number to string"],
  },
  {
    what: "a parameter with a lower maximum, which no type tells",
    base: query("{ type: integer, maximum: 100 }"),
    revision: query("{ type: integer, maximum: 50 }"),
    breaks: [],
  },
  {
    what: "a value less that is sent",
    base: query('{ enum: ["a", "b", "c"] }'),
    revision: query('{ enum: ["a", "b"] }'),
    breaks: ['params.query.limit no longer accepts "c"'],
  },
  {
    what: "a value more that is sent",
    base: query('{ enum: ["a"] }'),
    revision: query('{ enum: ["a", "b"] }'),
    breaks: [],
  },
  {
    what: "a body that becomes required",
    base: body({ [JSON_TYPE]: object("a: { type: string }") }, false),
    revision: body({ [JSON_TYPE]: object("a: { type: string }") }),
    breaks: ["body is required now"],
  },
  {
    what: "a body that is gone",
    base: body({ [JSON_TYPE]: object("a: { type: string }") }),
    revision: NOTHING,
    breaks: ["body is no longer accepted"],
  },
  {
    what: "a media type that is gone",
    base: body({ [JSON_TYPE]: "{}", "text/csv": "{ type: string }" }),
    revision: body({ [JSON_TYPE]: "{}" }),
    breaks: ['mediaType no longer accepts "text/csv"'],
  },
  {
    what: "a media type beside the only one, which had not to be named",
    base: body({ "text/csv": "{ type: string }" }),
    revision: body({ "text/csv": "{ type: string }", "text/plain": "{ type: string }" }),
    breaks: ["mediaType is required now"],
  },
  {
    what: "deep in a body: one property gone, one required, one null no more",
    base: body({
      [JSON_TYPE]: object(
        `items: { type: array, items: ${object("a: {}, b: { type: string }, c: { type: [string, 'null'] }")} }`,
      ),
    }),
    revision: body({
      [JSON_TYPE]: object(
        `items: { type: array, items: ${object("b: { type: string }, c: { type: string }", "[b]")} }`,
      ),
    }),
    breaks: [
      "body.items[].a is no longer accepted",
      "body.items[].b is required now",
      "body.items[].c no longer accepts null",
    ],
  },
  {
    what: "an alternative less that is sent",
    base: body({
      [JSON_TYPE]: `{ oneOf: [${object("a: { type: string }", "[a]")}, ${object("b: { type: string }", "[b]")}] }`,
    }),
    revision: body({ [JSON_TYPE]: object("a: { type: string }", "[a]") }),
    breaks: ["body no longer accepts { b: string; }"],
  },
  {
    what: "what only the service may set",
    base: body({ [JSON_TYPE]: object("id: { type: integer }, a: { type: string }") }),
    revision: body({ [JSON_TYPE]: object("id: { type: integer, readOnly: true }, a: { type: string }") }),
    breaks: ["body.id is no longer accepted"],
  },
  {
    what: "an answer with one property more",
    base: answer(object("a: { type: string }")),
    revision: answer(object("a: { type: string }, b: { type: string }")),
    breaks: [],
  },
  {
    what: "an answer without a property, with one that may be missing, and with another type",
    base: answer(object("a: { type: string }, b: { type: string }, c: { type: string }", "[a, b, c]")),
    revision: answer(object("b: { type: string }, c: { type: integer }", "[c]")),
    breaks: [
      "200 data.a was removed",
      "200 data.b may be missing now",
      "200 data.c changed from string to number",
    ],
  },
  {
    what: "an optional property of an answer, gone, which assignability alone forgives",
    base: answer(object("a: { type: string }, b: { type: string }")),
    revision: answer(object("b: { type: string }")),
    breaks: ["200 data.a was removed"],
  },
  {
    what: "a value more and a value less in an answer",
    base: answer('{ enum: ["a", "b"] }'),
    revision: answer('{ enum: ["b", "c"] }'),
    breaks: ['200 data can be "c" now', '200 data can no longer be "a"'],
  },
  {
    what: "any text in place of some",
    base: answer('{ enum: ["a", "b"] }'),
    revision: answer("{ type: string }"),
    breaks: ["200 data can be string now"],
  },
  {
    what: "a status less",
    base: answer("{}", error("404", PROBLEM)),
    revision: answer("{}"),
    breaks: ["status can no longer be 404"],
  },
  {
    what: "a status more, with the body of the others",
    base: answer("{}", error("404", PROBLEM)),
    revision: answer("{}", error("404", PROBLEM) + error("409", PROBLEM)),
    breaks: [],
  },
  {
    what: "a status more, with a body of its own",
    base: answer("{}", error("404", PROBLEM)),
    revision: answer("{}", error("404", PROBLEM) + error("409", object("reason: {}"))),
    breaks: ["409 error differs from every previous error"],
  },
  {
    what: "a range in place of one of its statuses",
    base: answer("{}", error("404", PROBLEM)),
    revision: answer("{}", error("4XX", PROBLEM)),
    breaks: [],
  },
  {
    what: "one status in place of a range",
    base: answer("{}", error("4XX", PROBLEM)),
    revision: answer("{}", error("404", PROBLEM)),
    breaks: ["status can no longer be 400, 401, 402 and 24 more"],
  },
  {
    what: "a type of itself that differs further down",
    base: answer('{ $ref: "#/components/schemas/Tree" }'),
    revision: answer('{ $ref: "#/components/schemas/OtherTree" }'),
    breaks: ["200 data.leaf.name changed from string to number"],
  },
  {
    what: "two types of each other, of which one differs",
    base: answer('{ $ref: "#/components/schemas/A" }'),
    revision: answer('{ $ref: "#/components/schemas/OtherA" }'),
    breaks: ["200 data.x changed from string to number"],
  },
  {
    what: "the other one of the two",
    base: answer('{ $ref: "#/components/schemas/B" }'),
    revision: answer('{ $ref: "#/components/schemas/OtherB" }'),
    breaks: ["200 data.a.x changed from string to number"],
  },
  {
    what: "a type of itself that is the same",
    base: answer('{ $ref: "#/components/schemas/Tree" }'),
    revision: answer('{ $ref: "#/components/schemas/Copy" }'),
    breaks: [],
  },
];

const SCHEMES = (names: readonly string[]) =>
  `securitySchemes: { ${names.map((name) => `${name}: { type: http, scheme: bearer }`).join(", ")} }`;

function toContract(side: "base" | "revision", others: string): string {
  const tree = (self: string, type: string) =>
    object(
      `leaf: ${object(`name: { type: ${type} }, tree: { $ref: "#/components/schemas/${self}" }`)}, trees: { type: array, items: { $ref: "#/components/schemas/${self}" } }`,
    );
  const ring = (name: string, type: string) =>
    `${name}A: ${object(`b: { $ref: "#/components/schemas/${name}B" }, x: { type: ${type} }`)}, ${name}B: ${object(`a: { $ref: "#/components/schemas/${name}A" }`)}`;
  const paths = CASES.map((one, index) => `  /${index}: { post: ${one[side]} }\n`).join("");
  return `paths:\n${paths}${others}components:
  ${SCHEMES(side === "base" ? ["old", "key"] : ["key"])}
  schemas: { Tree: ${tree("Tree", "string")}, OtherTree: ${tree("OtherTree", "integer")}, Copy: ${tree("Copy", "string")}, ${ring("", "string")}, ${ring("Other", "integer")} }
`;
}

/** All cases are compared at once, because loading the compiler takes most of the time. */
const sides = toSides(
  toContract("base", `  /gone: { get: ${NOTHING} }\n  /pets/{petId}: { get: ${NOTHING} }\n`),
  toContract("revision", `  /new: { get: ${NOTHING} }\n  /pets/{id}: { get: ${NOTHING} }\n`),
);
const { whole, byOperation } = findClientBreaks(sides, pairOperations(sides));
const listBreaks = (label: string) => byOperation.get(label)?.map(({ at, message }) => `${at} ${message}`);

describe("code that calls the API", () => {
  test.each(CASES.map((one, index) => ({ ...one, index })))("$what", ({ index, breaks }) => {
    expect(listBreaks(`POST /${index}`)).toEqual(breaks);
  });

  test("a removed operation breaks its calls, and a new one has none", () => {
    expect(listBreaks("GET /gone")).toEqual(['"/gone" was removed']);
    expect(listBreaks("GET /new")).toBeUndefined();
  });

  test("a path includes the names of its parameters", () => {
    expect(listBreaks("GET /pets/{id}")).toEqual(['"/pets/{petId}" changed to "/pets/{id}"']);
  });

  test("a removed security scheme no longer accepts credentials", () => {
    expect(whole.map(({ at, message }) => `${at} ${message}`)).toEqual([
      "createClient.credentials.old is no longer accepted",
    ]);
  });

  test("does not break where only texts differ", () => {
    const contract = (text: string) => `paths: { /a: { get: { description: ${text}, ${DONE} } } }\n`;
    const same = toSides(contract("One."), contract("Other."));
    expect(findClientBreaks(same, pairOperations(same)).byOperation.get("GET /a")).toEqual([]);
  });
});
