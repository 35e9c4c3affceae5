// @thorough: hundreds of calls.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { findJsonProblem } from "../../../src/tenon/core/json/find-json-problem.js";
import { createTools, type Tool } from "../../../src/tenon/mcp/tools.js";
import { writeToolRequest } from "../../../src/tenon/mcp/tool-request.js";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { send } from "../../support/http.js";
import { post } from "./agent.js";
import { json, startSmall, type Small } from "./small.js";
import { toCount } from "../../support/to-count.js";

const ANY = json({ type: "object" });
const parameter = (place: string, name: string, schema: object, extra: object = {}) => ({
  ...{ in: place, name, schema, required: place === "path" },
  ...extra,
});
const body = (mediaType: string, schema: object) => ({
  required: true,
  content: { [mediaType]: { schema } },
});
const thing = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 20 },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    constructor: { type: "integer" },
    inner: { type: "object", properties: { a: { type: "number" } }, additionalProperties: false },
  },
};

const PATHS = {
  "/things/{id}": {
    get: {
      operationId: "getThing",
      "x-mcp": true,
      parameters: [
        parameter("path", "id", { type: "string" }),
        parameter(
          "query",
          "filter",
          { type: "object", properties: { a: { type: "integer" } } },
          { style: "deepObject" },
        ),
        parameter("query", "list", { type: "array", items: { type: "integer" } }, { explode: false }),
        parameter("header", "X-Trace", { type: "string", pattern: "^[a-z]*$" }),
        parameter("cookie", "seen", { type: "integer" }),
      ],
      responses: { "200": ANY },
    },
    post: {
      operationId: "postThing",
      "x-mcp": true,
      parameters: [parameter("path", "id", { type: "integer" })],
      requestBody: body("application/json", thing),
      responses: { "200": ANY },
    },
    delete: {
      operationId: "deleteThing",
      parameters: [parameter("path", "id", { type: "string" })],
      responses: { "200": ANY },
    },
  },
  "/things/{id}/secret": {
    get: {
      operationId: "getSecret",
      parameters: [parameter("path", "id", { type: "string" })],
      responses: { "200": ANY },
    },
  },
  "/admin": { get: { operationId: "admin", responses: { "200": ANY } } },
  "/form": {
    post: {
      operationId: "sendForm",
      "x-mcp": true,
      requestBody: body("application/x-www-form-urlencoded", {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "integer" } },
      }),
      responses: { "200": ANY },
    },
  },
  "/text": {
    post: {
      operationId: "sendText",
      "x-mcp": true,
      requestBody: body("text/plain", { type: "string" }),
      responses: { "200": ANY },
    },
  },
};
const IDS = ["getThing", "postThing", "deleteThing", "getSecret", "admin", "sendForm", "sendText"];

let small: Small;
let tools: readonly Tool[];

beforeAll(async () => {
  small = await startSmall({
    paths: PATHS,
    handlers: Object.fromEntries(IDS.map((id) => [id, (_: unknown, reply) => reply[200]?.({})])),
  });
  const info = { title: "Small", version: "1" };
  const contract = toContract({ openapi: "3.1.0", info, servers: [{ url: "/v1" }], paths: PATHS });
  tools = createTools(
    contract,
    contract.operations.filter(({ id }) => !["deleteThing", "getSecret", "admin"].includes(id)),
  );
});
afterAll(() => small.stop());

/** Texts that mean something to a parser of URLs, headers, cookies, forms or JSON. */
const TEXTS = [
  ...[
    "",
    ".",
    "..",
    "../admin",
    "..%2fadmin",
    "%2e%2e/admin",
    "/admin",
    "//evil.example/",
    "a/secret",
    "a%2Fsecret",
  ],
  ...[
    "?x=1",
    "#",
    "a?b",
    "a\r\nX-Evil: 1",
    "a\nHost: evil",
    "a\0",
    "\u2028",
    "\uD800",
    "é",
    "💥",
    "a;b",
    "a,b",
    "a b",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "1e999",
    "-0",
    "0x10",
    "9007199254740993",
    "true",
    "null",
    "{}",
    "[1]",
  ],
  ...[
    "http://169.254.169.254/latest",
    "mcp",
    "/mcp",
    "../../mcp",
    "*",
    "a".repeat(70_000),
    "=%00&a=b",
    "\\..\\admin",
  ],
];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string(), fc.string({ unit: "binary" }));
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
  { weight: 2, arbitrary: fc.array(text, { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.oneof(text, fc.constantFrom("a", "name")), fc.jsonValue(), { maxKeys: 3 }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const NAMES = [
  ...["id", "filter", "list", "X-Trace", "seen", "name", "tags", "constructor", "inner", "a", "b", "body"],
  ...["response_part", "__proto__", "Host", "Authorization", "path", "toString", "id_2"],
];
const likely = fc.record(
  {
    id: fc.oneof(text, fc.integer()),
    name: fc.string({ minLength: 1, maxLength: 20 }),
    body: text,
    "X-Trace": fc.oneof(text, fc.constant("abc")),
    list: fc.array(fc.integer(), { maxLength: 3 }),
    filter: fc.record({ a: fc.oneof(fc.integer(), text) }),
    seen: fc.oneof(fc.integer(), text),
    a: text,
    b: fc.oneof(fc.integer(), text),
  },
  { requiredKeys: ["id"] },
);
const anyArguments = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 });

/** Keeps the arguments that a tool has: others are refused before they are looked at. */
const own = (tool: Tool, args: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(args).filter(([name]) => tool.arguments.some((one) => one.name === name)),
  );

const call = fc.record({
  index: fc.nat(),
  args: fc.oneof(
    { weight: 3, arbitrary: likely.map((args) => ({ args, isOwn: true })) },
    { weight: 3, arbitrary: anyArguments.map((args) => ({ args, isOwn: true })) },
    { weight: 1, arbitrary: anyArguments.map((args) => ({ args, isOwn: false })) },
  ),
});

interface Answer {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly status?: number };
  };
  readonly error?: object;
}

/** Default of `bodyLimit`, in bytes. */
const LARGEST = 102_400;

/** Undefined for a message that is refused as a whole: it is too large, or its JSON is not exact. */
async function callTool(name: string, args: object): Promise<Answer | undefined> {
  const params = { name, arguments: args };
  const response = await post(small.url, "tools/call", params);
  const sent = JSON.stringify({ params });
  const isExact = findJsonProblem(sent) === undefined;
  const expected = Buffer.byteLength(sent) > LARGEST ? 413 : isExact ? 200 : 400;
  expect(response.status).toBe(expected);
  if (expected !== 200) return undefined;
  const line = (await response.text()).split("\n").find((one) => one.startsWith("data: ")) ?? "";
  return JSON.parse(line.slice("data: ".length)) as Answer;
}

const RUNS = toCount(500);

/** The same request over HTTP; undefined where it cannot be written. */
async function callHttp(tool: Tool, args: Readonly<Record<string, unknown>>) {
  const { response_part: part, ...others } = args;
  const rest = Object.hasOwn(tool.inputSchema.properties, "response_part") ? others : args;
  if (rest === others && part !== undefined && !(Number.isInteger(part) && Number(part) >= 1))
    return undefined;
  try {
    const { method, target, headers, body: bytes } = await writeToolRequest(tool, rest);
    return await send(small.port, `/v1${target}`, {
      method,
      headers: Object.fromEntries(headers.map(([name, one]) => [name.toLowerCase(), one])),
      ...(bytes && { body: Buffer.from(bytes) }),
    });
  } catch {
    return undefined;
  }
}

test("hostile arguments reach no handler that HTTP would not have reached, and never fail the service", async () => {
  const counts = { handled: 0, refused: 0, unwritten: 0 };
  const property = fc.asyncProperty(call, async ({ index, args: { args: all, isOwn } }) => {
    const tool = tools[index % tools.length];
    if (tool === undefined) throw new Error("There are no tools");
    const args = isOwn ? own(tool, all) : all;
    small.handled.length = 0;
    const answer = await callTool(tool.name, args);
    const byTool = small.handled.splice(0);
    if (answer === undefined) {
      expect(byTool).toEqual([]);
      return;
    }
    // As JSON transports them; the SDK drops this one name.
    const sent = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
    delete sent["__proto__"];
    const http = await callHttp(tool, sent);
    const byHttp = small.handled.splice(0);
    expect(byTool).toEqual(byHttp);
    expect(byTool.every(([id]) => id === tool.operation.id)).toBe(true);
    const status = answer.result?.structuredContent?.status;
    expect(status).toBe(http?.status);
    expect(status ?? 400).toBeLessThan(500);
    if (http === undefined) expect(answer.result?.isError).toBe(true);
    counts[byTool.length > 0 ? "handled" : http === undefined ? "unwritten" : "refused"] += 1;
  });
  await fc.assert(property, { seed: 22, numRuns: RUNS, endOnFailure: true });
  // Each kind of end is common, so that the test says something about each.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RUNS / 20);
});
