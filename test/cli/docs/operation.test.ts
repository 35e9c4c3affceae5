import { describe, expect, test } from "@jest/globals";
import { findElements, toText } from "../../support/html-text.js";
import { readTexts, renderOperation, renderPages, renderPart } from "./rendered.js";

const SCHEMES = { securitySchemes: { key: { type: "http", scheme: "bearer" } } };

describe("facts of an operation", () => {
  const read = (operation: object, root: object = {}) => {
    const part = renderOperation(operation, root);
    const [facts = ""] = findElements(part, /^<ul class="facts"/);
    return findElements(facts, /^<li/)
      .map(toText)
      .filter((text) => text !== "operationId: only");
  };

  test.each([
    ["nothing where the contract has no keys", { security: [] }, {}, []],
    ["the key that is needed", {}, { components: SCHEMES, security: [{ key: [] }] }, ["Needs key"]],
    ["that none is", { security: [] }, { components: SCHEMES, security: [{ key: [] }] }, ["No key needed"]],
    ["that none is, because nobody asks for one", {}, { components: SCHEMES }, ["No key needed"]],
    ["that an empty one is none", { security: [{}] }, { components: SCHEMES }, ["No key needed"]],
    [
      "that it can be left out",
      { security: [{ key: [] }, {}] },
      { components: SCHEMES },
      ["Needs key or nothing"],
    ],
    [
      "that calls are limited",
      { responses: { "429": { description: "" } } },
      {},
      ["Limited: 429 when there are too many calls"],
    ],
    [
      "and by which headers",
      {
        responses: {
          "200": { description: "", headers: { "X-RateLimit-Limit": {}, Other: {} } },
          "429": { $ref: "#/components/responses/L" },
        },
      },
      {
        components: {
          responses: { L: { description: "", headers: { RateLimit: {}, "X-RateLimit-Limit": {} } } },
        },
      },
      ["Limited: 429 when there are too many calls, reported by X-RateLimit-Limit, RateLimit"],
    ],
    [
      "that it can be sent again, by a parameter behind two references",
      { parameters: [{ $ref: "#/components/parameters/I" }] },
      {
        components: {
          parameters: {
            I: { $ref: "#/components/parameters/J" },
            J: { name: "idempotency-key", in: "header" },
          },
        },
      },
      ["Can be repeated safely with idempotency-key"],
    ],
  ])("say %s", (_, operation, root, want) => {
    expect(read(operation, root)).toEqual(want);
  });

  test("a path item's Idempotency-Key is that of its operations", () => {
    const parameters = [{ name: "Idempotency-Key", in: "header" }];
    const paths = { "/": { parameters, post: { operationId: "post", responses: {} } } };
    expect(toText(renderPart({ paths }, "operation/post"))).toContain(
      "Can be repeated safely with Idempotency-Key",
    );
  });

  test("the service's own requests have none", () => {
    const post = { responses: { "429": { description: "" } } };
    const root = { components: SCHEMES, webhooks: { happened: { post } } };
    const webhook = renderPart(root, "webhook/happened/post");
    const callbacks = { done: { "{$request.body#/url}": { post } } };
    const [callback = ""] = findElements(renderOperation({ callbacks }, root), /class="callback"/);
    expect([webhook, callback].map((part) => toText(part).includes("429"))).toEqual([true, true]);
    for (const part of [webhook, callback])
      expect(["facts", "security", "try"].flatMap((name) => readTexts(part, name))).toEqual([]);
  });
});

describe("lifecycles", () => {
  const LAST = Date.parse("2030-12-04T23:59:59.999Z");
  const old = {
    "x-deprecated-since": "2026-11-21",
    "x-sunset": "2030-12-05",
    "x-replaced-by": "listPets",
  };

  test.each([
    [LAST, "Deprecated since 2026-11-21; will be removed on 2030-12-05. Use listPets instead."],
    [LAST + 1, "Gone. Deprecated since 2026-11-21; was removed on 2030-12-05. Use listPets instead."],
  ])("at %i an operation says %j", (now, want) => {
    const part = renderOperation(old, {}, now);
    expect(readTexts(part, "callout")).toEqual([want]);
    // The callout says the rest.
    const state = now === LAST ? "deprecated" : "gone";
    expect(findElements(part, /^<h3/).map(toText)).toEqual([`Only ${state}#`]);
    expect(part).toContain('<a href="#operation/listPets">listPets</a>');
    // The page says so itself once the day has come.
    expect(part).toContain(`data-sunset="${LAST + 1}"`);
  });

  test("an unstable operation says so", () => {
    const part = renderOperation({ "x-stability-level": "beta" });
    expect(readTexts(part, "callout")).toEqual(["This operation is beta: it may change."]);
    expect(readTexts(part, "mark")).toEqual(["beta"]);
    expect(readTexts(renderOperation({}), "callout")).toEqual([]);
  });

  test("what replaces an operation in another contract is no link", () => {
    const part = renderOperation({ "x-replaced-by": "/v2/pets" });
    expect(part).toContain("Use <code>/v2/pets</code> instead");
  });

  test("parameters and properties have theirs, at their names", () => {
    const property = { type: "string", ...old };
    const part = renderOperation({
      parameters: [
        { name: "q", in: "query", deprecated: true, "x-replaced-by": "search", schema: {} },
        { name: "cursor", in: "query", "x-stability-level": "experimental", schema: {} },
      ],
      requestBody: {
        content: { "application/json": { schema: { type: "object", properties: { example: property } } } },
      },
    });
    expect(readTexts(part, "line")).toEqual([
      "q anything deprecated use search",
      "cursor anything experimental",
      "application/json",
      "example string deprecated since 2026-11-21 until 2030-12-05 use listPets",
    ]);
  });

  test("values of the contract's data are no lifecycles", () => {
    const example = { "x-sunset": "2030-12-05", operationId: "a" };
    const schema = { type: "object", examples: [example], default: example, enum: [example] };
    const part = renderOperation({ parameters: [{ name: "q", in: "query", schema }] });
    expect(readTexts(part, "mark")).toEqual([]);
  });
});

describe("codes of errors", () => {
  const codes = (schema: object) => ({ schema: { properties: { code: schema } } });

  /** The line of a response of 400, and the meanings of its codes; a response of 200 with the same body has none. */
  function read(
    mediaType: object,
    { type = "application/json", components = {}, description = "Bad." } = {},
  ) {
    const response = { description, content: { [type]: mediaType } };
    const part = renderOperation({ responses: { "400": response, "200": response } }, { components });
    const [bad = "", good = ""] = ["400", "200"].flatMap((status) =>
      findElements(part, new RegExp(`id="operation/only/${status}"`)),
    );
    const toLine = (own: string) => toText(findElements(own, /^<summary>/)[0] ?? "");
    expect(toLine(good)).toBe(`200 OK ${description.replaceAll("`", "").split("\n")[0] ?? ""}`);
    const [meanings = ""] = findElements(bad, /^<ul class="values">/);
    const items = findElements(meanings, /^<li>/).map(toText);
    return [toLine(bad).replace("400 Bad Request ", ""), ...items];
  }

  test.each([
    ["an example", { example: { code: "bad" } }, ["Bad. bad"]],
    ["a code within an error", { example: { error: { code: 1201 } } }, ["Bad. 1201"]],
    ["a constant", codes({ const: "bad" }), ["Bad. bad"]],
    [
      "named examples, with what they mean",
      { examples: { a: { summary: "<b>", value: { code: "a" } }, b: { $ref: "#/components/examples/B" } } },
      ["Bad. a b", "a <b>", "b Two."],
    ],
    ["a list", codes({ enum: ["a", "b"] }), ["Bad. a b"]],
    [
      "a list that is described",
      codes({ enum: ["a", "b"], "x-enumDescriptions": { a: "One.", b: "Two." } }),
      ["Bad. a b", "a One.", "b Two."],
    ],
    ["a composed schema", { schema: { $ref: "#/components/schemas/E" } }, ["Bad. composed"]],
    [
      "an example before the list of all codes",
      { ...codes({ enum: ["a", "b"] }), example: { code: "b" } },
      ["Bad. b"],
    ],
    [
      "nothing of a long list",
      codes({ enum: Array.from({ length: 9 }, (_, index) => `c${index}`) }),
      ["Bad."],
    ],
    ["nothing of other examples", { example: [1], examples: { a: { value: null } } }, ["Bad."]],
  ])("come from %s", (_, mediaType, want) => {
    const components = {
      examples: { B: { description: "Two.", value: { code: "b" } } },
      schemas: {
        E: {
          allOf: [{ type: "object" }, { $ref: "#/components/schemas/F" }, { $ref: "#/components/schemas/E" }],
        },
        F: { properties: { code: { const: "composed" } } },
      },
    };
    expect(read(mediaType, { components })).toEqual(want);
  });

  test("are the types of problem details", () => {
    const example = { type: "https://a.example/bad" };
    expect(read({ example }, { type: "application/problem+json" })).toEqual(["Bad. https://a.example/bad"]);
    expect(read({ example })).toEqual(["Bad."]);
  });

  test("stand at the end of the first paragraph, unless the author names them", () => {
    const example = { code: "bad" };
    expect(read({ example }, { description: "One.\n\nTwo." })).toEqual(["One. bad"]);
    expect(read({ example }, { description: "`bad` is it." })).toEqual(["bad is it."]);
  });
});

describe("parameters", () => {
  const schema = { type: "array", maxItems: 3, items: { type: "string", enum: ["a", "b"] } };

  test.each([
    ["of plain values have their limits once, and nothing to unfold", { type: "array", maxItems: 3 }, 0],
    [
      "with members have their limits once, above their members",
      { type: "object", maxProperties: 3, properties: { list: { type: "string" } } },
      1,
    ],
    ["with values have them once", schema, 1],
  ])("%s", (_, own, folds) => {
    const part = renderOperation({ parameters: [{ name: "q", in: "query", schema: own }] });
    expect(readTexts(part, "limits")).toHaveLength(1);
    expect(part.match(/<summary>Schema</g) ?? []).toHaveLength(folds);
  });
});

test("a callback has examples of its bodies, with their descriptions", () => {
  const content = {
    "application/json": { examples: { late: { description: "When it is *late*.", value: { late: true } } } },
  };
  const post = { requestBody: { content }, responses: { 204: { description: "Heard" } } };
  const part = renderOperation({ callbacks: { told: { "{$request.query.url}": { post } } } });
  expect(part).toMatch(
    /<section class="callback"[^]*When it is <em>late<\/em>[^]*hljs-attr">&quot;late&quot;/,
  );
});

test("a response's text with a link stands below what unfolds it, which has its words", () => {
  const part = renderOperation({
    responses: { 200: { description: "As [said](https://a.example).\n\nMore." } },
  });
  expect(/<summary>([^]*?)<\/summary>/.exec(part)?.[1]).toMatch(/<span class="short">As said\.<\/span>\s*$/);
  expect(part).toMatch(/<\/summary>\s*<p>As <a href="https:\/\/a.example">said<\/a>\.<\/p>\s*<p>More\.<\/p>/);
});

test("samples have the names of path parameters that may be any text", () => {
  const parameters = [
    { name: "owner", in: "path", required: true, schema: { type: "string" } },
    { name: "number", in: "path", required: true, schema: { type: "integer", minimum: 7, maximum: 7 } },
  ];
  const get = { operationId: "read", parameters, responses: {} };
  const part = renderPart({ paths: { "/repos/{owner}/{number}": { get } } }, "operation/read");
  expect(part).toContain("/repos/owner/7");
});

test("a path is broken between its segments and words, and not within a parameter", () => {
  const paths = { "/gist_list/{gist_id}": { get: { operationId: "get", responses: {} } } };
  const [address = ""] = findElements(renderPart({ paths }, "operation/get"), /class="address"/);
  expect(address).toContain('<code>/<wbr>gist_<wbr>list/<span class="variable">{gist_id}</span></code>');
});

test("a parameter of an unusual style says so", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const parameters = [
    { name: "filter", in: "query", style: "deepObject", schema },
    { name: "plain", in: "query", style: "form", schema },
  ];
  const part = renderOperation({ parameters });
  expect(readTexts(part, "mark")).toEqual(["deepObject"]);
});

test("the operation's name is its operationId in words where it has no summary", () => {
  const toHeading = (operationId: string) => {
    const { "index.html": page = "" } = renderPages({
      paths: { "/": { get: { operationId, responses: {} } } },
    });
    return /<h3[^>]*>\s*([^<]*)</.exec(page)?.[1]?.trim();
  };
  expect(toHeading("PostPaymentIntentsConfirm")).toBe("Post payment intents confirm");
  expect(toHeading("repos/list-for-org")).toBe("Repos list for org");
  expect(toHeading("getHTTPStatusV2")).toBe("Get HTTP status V2");
  expect(toHeading("列出")).toBe("列出");
});
