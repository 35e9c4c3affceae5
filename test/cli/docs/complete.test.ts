import { describe, expect, test } from "@jest/globals";
import { findElements, toText } from "../../support/html-text.js";
import { readTexts, renderOperation, renderPages, renderPart } from "./rendered.js";

const json = (more: object) => ({ "application/json": more });
const external = (name: string) => ({ url: `https://a.example/${name}`, description: `More of ${name}` });

/** Labels of tabs in their order, those of inner tabs too. */
const readLabels = (markup: string) =>
  [...markup.matchAll(/data-label="([^"]*)"/g)].map(([, label]) => label);

const readExamples = (page: string) => findElements(page, /class="examples"/);

describe.each(["3.0.3", "3.1.0", "3.2.0"])("the reference of OpenAPI %s", (openapi) => {
  test("has the description of a response in its line", () => {
    const responses = { 200: { description: "Done" }, 400: { description: "**Bad**: `it`" } };
    const part = renderOperation({ responses }, { openapi });
    const lines = findElements(part, /^<summary/);
    expect(lines.map(toText)).toEqual(["200 OK Done", "400 Bad Request Bad: it"]);
    expect(lines.join("")).not.toContain("<p");
  });

  test("has the type of an enumeration, and names alternatives by their constants", () => {
    const constant = (value: string) => ({ type: "object", properties: { kind: { enum: [value] } } });
    const schema = {
      type: "object",
      properties: {
        size: { type: "integer", enum: [1, 2] },
        untyped: { enum: ["a", null] },
        item: { oneOf: [constant("cat"), constant("dog"), { type: "object" }, { type: "string" }] },
      },
    };
    const part = renderOperation(
      { responses: { 200: { description: "", content: json({ schema }) } } },
      { openapi },
    );
    const types = readTexts(part, "type");
    expect(types.slice(0, 3)).toEqual(["integer", "string or null", "one of cat, dog, object 3, string"]);
  });

  test("says that a value is required before its limits", () => {
    const parameters = [{ name: "q", in: "query", required: true, schema: { type: "string", maxLength: 3 } }];
    const [line = ""] = readTexts(renderOperation({ parameters }, { openapi }), "line");
    expect(line).toBe("q string required at most 3 characters");
  });

  test("has alerts of GitHub's Markdown", () => {
    const render = (description: string) =>
      findElements(renderOperation({ description }, { openapi }), /^<blockquote/)[0];
    expect(toText(render("> [!NOTE]\n> Mind *this*.") ?? "")).toBe("Note: Mind this.");
    expect(render("> [!warning] Hot")).toContain('class="callout deprecated"');
    for (const plain of ["> [!OTHER]\n> It", "> text [!NOTE]", "> - [!NOTE]"])
      expect(render(plain)).toMatch(/^<blockquote>/);
  });

  test("marks numbers in JSON, and not within words", () => {
    const content = {
      "text/event-stream": { itemSchema: {}, "x-itemSchema": {}, example: 'id: e14c0f\ndata: {"n":-3.5e2}' },
    };
    const [examples = ""] = readExamples(
      renderOperation({ responses: { 200: { description: "", content } } }, { openapi }),
    );
    const marked = [...examples.matchAll(/class="hljs-number">([^<]*)/g)].map(([, number]) => number);
    expect(marked).toEqual(["-3.5e2"]);
  });

  test("has the keys of callers beside the introduction", () => {
    const components = {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        token: { type: "http", scheme: "bearer" },
      },
    };
    const part = renderPart({ openapi, components }, "section/Introduction");
    expect(readTexts(part, "keys")).toEqual(["key header X-Key token header Authorization: Bearer …"]);
    expect(readTexts(renderPart({ openapi }, "section/Introduction"), "keys")).toEqual([]);
  });

  test("has the external docs of the document, tags, operations and schemas", () => {
    const { "index.html": page = "" } = renderPages({
      openapi,
      externalDocs: external("all"),
      tags: [{ name: "pets", externalDocs: external("tag") }],
      paths: {
        "/": { get: { operationId: "a", tags: ["pets"], externalDocs: external("call"), responses: {} } },
      },
      components: {
        schemas: {
          Pet: { type: "object", externalDocs: external("schema") },
          Bad: { type: "object", externalDocs: { url: "javascript:alert(1)" } },
        },
      },
    });
    for (const name of ["all", "tag", "call", "schema"])
      expect(page).toContain(`href="https://a.example/${name}">More of ${name}</a>`);
    expect(page).not.toContain("javascript:");
  });

  test("has an example of every media type of a response, and each by name", () => {
    const content = {
      ...json({ examples: { cat: { value: { a: 1 } }, dog: { summary: "A dog", value: { a: 2 } } } }),
      "text/csv": { example: "a\n1" },
    };
    const markup = renderOperation(
      {
        responses: {
          200: { description: "It", content },
          404: { description: "No", content: json({ example: {} }) },
        },
      },
      { openapi },
    );
    const [examples = ""] = readExamples(markup);
    expect(readLabels(examples)).toEqual(["200", "application/json", "cat", "A dog", "text/csv", "404"]);
  });

  test("has samples of code for each example of a request's body, and the examples that no sample has", () => {
    const render = (content: object, more: object = {}) =>
      renderOperation({ requestBody: { content }, responses: {}, ...more }, { openapi });
    const cat = { value: { kind: "cat" } };
    const dog = { value: { kind: "dog" }, summary: "A dog", description: "It *barks*." };
    const readSets = (markup: string) => {
      const [request = ""] = findElements(markup, /^<div class="request"/);
      return findElements(request, /data-name="Language"/).map(
        (set) => /kind\W+(cat|dog)/.exec(toText(set))?.[1],
      );
    };
    const xml = { "application/xml": { example: "<dog/>" } };

    const one = render({ ...json({ examples: { cat } }), ...xml });
    expect(readSets(one)).toEqual(["cat"]);
    expect(readExamples(one).map(readLabels)).toEqual([[]]);
    expect(readExamples(one).map(toText).join("")).toMatch(/^\s*Body\s+<dog\/>\s*$/);

    const two = render(json({ examples: { cat, dog } }));
    expect(readSets(two)).toEqual(["cat", "dog"]);
    expect(two).toContain('<section class="panel" data-label="A dog"');
    expect(two).toContain("<p>It <em>barks</em>.</p>");
    expect(readExamples(two)).toEqual([]);

    const source = "pets add --kind cat";
    const own = render(json({ examples: { cat, dog } }), { "x-codeSamples": [{ lang: "Shell", source }] });
    expect(readSets(own)).toEqual(["cat"]);
    expect(readExamples(own).map(readLabels)).toEqual([["cat", "A dog"]]);
  });

  test("links to the examples that are at other addresses", () => {
    const far = {
      summary: "A far one",
      description: "Many pets",
      externalValue: "https://a.example/pets.json",
    };
    const root = { openapi, components: { examples: { far } } };
    const content = json({ examples: { far: { $ref: "#/components/examples/far" }, near: { value: 1 } } });
    const requestBody = { content };
    const markup = renderOperation({ requestBody, responses: { 200: { description: "It", content } } }, root);
    const link = '<a href="https://a.example/pets.json">https://a.example/pets.json</a>';
    for (const examples of readExamples(markup)) expect(examples).toContain(link);
    expect(readExamples(markup).map(readLabels)).toEqual([[], ["200", "near", "A far one"]]);
    expect(toText(markup)).toContain("Many pets");
  });

  test("has the links of a response, with the operation and the values that it gets", () => {
    const links = {
      next: { operationId: "only", parameters: { id: "$response.body#/id" }, description: "The *next* one." },
      other: { operationId: "unknown" },
    };
    const markup = renderOperation({ responses: { 200: { description: "It", links } } }, { openapi });
    const [list = ""] = findElements(markup, /class="response/);
    expect(toText(list).replaceAll(/\s+/g, " ")).toContain(
      "next: only with id from $response.body#/id The next one. other: unknown",
    );
    expect(list).toContain('<a href="#operation/only"><code>only</code></a>');
  });

  test("has the badges of an operation, and what scopes mean", () => {
    const markup = renderOperation({ "x-badges": [{ name: "Beta <b>" }, "Paid"] }, { openapi });
    expect(readTexts(markup, "badge")).toEqual(["Beta <b>", "Paid"]);
    const flow = { authorizationUrl: "https://a.example", scopes: { "pets:read": "Read your pets", x: "" } };
    const securitySchemes = { login: { type: "oauth2", flows: { implicit: flow } } };
    const { "index.html": page = "" } = renderPages({ openapi, components: { securitySchemes } });
    expect(page).toContain("<li><code>pets:read</code> Read your pets</li>");
  });

  test("has callbacks with their addresses, bodies and responses", () => {
    const post = {
      summary: "Tell",
      requestBody: {
        content: json({ schema: { type: "object", properties: { told: { type: "string" } } } }),
      },
      responses: { 204: { description: "Heard" } },
    };
    const markup = renderOperation(
      { callbacks: { done: { "{$request.body#/url}": { post } } } },
      { openapi },
    );
    const [callback = ""] = findElements(markup, /class="callback"/);
    for (const text of ["Tell", "Callback done", "{$request.body#/url}", "told", "Heard"])
      expect(toText(callback).replaceAll(/\s+/g, " ")).toContain(text);
  });

  test("ends at a schema that is within itself", () => {
    const Tree = {
      type: "object",
      properties: {
        left: { $ref: "#/components/schemas/Tree" },
        all: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
      },
    };
    const part = renderPart({ openapi, components: { schemas: { Tree } } }, "schema/Tree");
    expect(part.match(/<a href="#schema\/Tree">Tree<\/a>/g)?.length).toBeGreaterThanOrEqual(2);
  });
});

describe("the reference of OpenAPI 3.2", () => {
  const openapi = "3.2.0";

  test("nests tags in the menu and in the page, wherever they are declared", () => {
    const tags = [
      { name: "cats", parent: "pets" },
      { name: "lost", parent: "nowhere" },
      { name: "pets", summary: "All pets" },
      { name: "kittens", parent: "cats" },
      { name: "a", parent: "b" },
      { name: "b", parent: "a" },
    ];
    const get = (tag: string) => ({ get: { operationId: `of-${tag}`, tags: [tag], responses: {} } });
    const { "index.html": page = "" } = renderPages({
      openapi,
      tags,
      paths: { "/cats": get("cats"), "/kittens": get("kittens"), "/pets": get("pets") },
    });
    const order = [...page.matchAll(/<header class="group" id="tag\/(\w+)"/g)].map(([, name]) => name);
    expect(order).toEqual(["lost", "pets", "cats", "kittens", "a", "b"]);
    const [menu = ""] = findElements(page, /id="menu"/);
    const find = (name: string, within: string) =>
      findElements(within, /class="group-link"|<li>/).find((one) => one.includes(`#tag/${name}`));
    expect(menu).toContain("All pets");
    const pets =
      findElements(menu, /<li>/).find((one) => /^<li>\s*<a class="group-link" href="#tag\/pets"/.test(one)) ??
      "";
    for (const id of ["operation/of-pets", "tag/cats", "operation/of-cats", "tag/kittens"])
      expect(pets).toContain(`href="#${id}"`);
    expect(find("lost", pets)).toBeUndefined();
  });

  test("lists the tags within one that has no operations of its own", () => {
    const tags = [{ name: "pets" }, { name: "cats", parent: "pets", summary: "All cats" }, { name: "dogs" }];
    const get = { operationId: "listCats", tags: ["cats"], responses: {} };
    const document = { openapi, tags, paths: { "/cats": { get } } };
    const part = renderPart(document, "tag/pets");
    expect(part.match(/<a href="#tag\/[^<]*<\/a>/g)).toEqual(['<a href="#tag/cats">All cats</a>']);
    for (const id of ["tag/cats", "tag/dogs"])
      expect(renderPart(document, id)).not.toContain('class="contents"');
  });

  test("has groups for tags of navigation only, and badges for those of kind `badge`", () => {
    const tags = [
      { name: "beta", summary: "Beta <b>", kind: "badge" },
      { name: "partner", kind: "audience" },
      { name: "pets", kind: "nav" },
      { name: "cats", parent: "beta" },
      { name: "slow", kind: "badge" },
    ];
    const toItem = (...names: readonly string[]) => ({ get: { tags: names, responses: {} } });
    const { "index.html": page = "" } = renderPages({
      openapi,
      tags,
      paths: { "/a": toItem("partner", "beta", "pets"), "/b": toItem("cats", "beta"), "/c": toItem("slow") },
    });
    const groups = [...page.matchAll(/<header class="group" id="tag\/(\w+)"/g)].map(([, name]) => name);
    // An operation without another tag is in the group of its first one.
    expect(groups).toEqual(["pets", "cats", "slow"]);
    expect(readTexts(page, "badge")).toEqual(["Beta <b>", "Beta <b>", "slow"]);
  });

  test.each([
    ["application/jsonl", '{"a":1}'],
    ["text/event-stream", 'data: {"a":1}'],
  ])("has an item of a stream as an example: %s", (mediaType, text) => {
    const a = { type: "object", required: ["a"], properties: { a: { const: 1 } } };
    const events = {
      type: "object",
      required: ["data"],
      properties: { data: { type: "string", contentMediaType: "application/json", contentSchema: a } },
    };
    const itemSchema = mediaType === "application/jsonl" ? a : events;
    const markup = renderOperation(
      { responses: { 200: { description: "It", content: { [mediaType]: { itemSchema } } } } },
      { openapi },
    );
    expect(toText(readExamples(markup).join(""))).toContain(text);
  });

  test("has an item of each kind of a stream, and a list whole, as examples", () => {
    const toEvent = (name: string) => ({
      ...{ type: "object", required: ["event", "data"] },
      properties: { event: { const: name }, data: { const: "1" } },
    });
    const content = {
      "text/event-stream": { itemSchema: { oneOf: [toEvent("a"), toEvent("b")] } },
      ...json({ schema: { type: "array", minItems: 2, maxItems: 2, items: { const: 1 } } }),
    };
    const markup = renderOperation({ responses: { 200: { description: "It", content } } }, { openapi });
    const text = toText(readExamples(markup).join(""));
    expect(text.replaceAll(/\s+/g, " ")).toContain("event: a data: 1 event: b data: 1");
    expect(text.replaceAll(/\s+/g, "")).toContain("[1,1]");
  });
});

test("tags outside `x-tagGroups` and schemas have a title of their own in the menu", () => {
  const get = (tag: string) => ({ get: { tags: [tag], responses: {} } });
  const { "index.html": page = "" } = renderPages({
    "x-tagGroups": [{ name: "One", tags: ["a"] }],
    paths: { "/a": get("a"), "/b": get("b") },
    components: { schemas: { Pet: {} } },
  });
  const titles = findElements(page, /class="(?:around|group-link)"/).map(toText);
  expect(titles).toEqual(["One", "a", "Reference", "b", "Schemas"]);
});

describe("many operations of one group", () => {
  const read = (toPath: (index: number) => string, operation: object = {}) => {
    const paths = Array.from({ length: 60 }, (_, index) => [
      toPath(index),
      { get: { ...operation, responses: {} } },
    ]);
    const { "index.html": page = "" } = renderPages({ paths: Object.fromEntries(paths) as object });
    return findElements(page, /class="group-link"/).map(toText);
  };

  test.each([{}, { tags: ["all"] }])(
    "are grouped by the segment in which their paths differ: %j",
    (operation) => {
      const toPath = (index: number) => `/v1/{tenant}/${index < 20 ? "account_links" : "pets"}/{id}/${index}`;
      expect(read(toPath, operation)).toEqual(["Account links", "Pets"]);
    },
  );

  test("stay together where each path has a segment of its own", () => {
    expect(read((index) => `/${index}`)).toEqual(["Operations"]);
    expect(read((index) => `/${"{a}/".repeat(index)}`)).toEqual(["Operations"]);
  });
});
