// @thorough: expands overlays to their limits.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createConfig } from "@redocly/openapi-core";
import { parse } from "yaml";
import { loadContract } from "../../../src/cli/load/index.js";
import { loadModel } from "../../../src/cli/project/index.js";
import { ContractError, type Problem } from "../../../src/tenon/core/document/contract-error.js";
import { runIn } from "../commands/run.js";
import { createProject, REDOCLY, toContract } from "./project.js";

const HEAD = "overlay: 1.1.0\ninfo: { title: Changes, version: 1.0.0 }\n";

/** An overlay, whose actions begin in line 4. */
const toOverlay = (...actions: readonly string[]) =>
  `${HEAD}actions:\n${actions.map((action) => `  - ${action}\n`).join("")}`;

const OVERLAID = REDOCLY.replace("generated }", "generated, overlays: [overlay.yaml] }");

const show = ({ file, line, column, code, message }: Problem) =>
  `${basename(file)}:${line}:${column} ${code} ${message}`;

/** Loads a contract with an overlay, without linting it. */
async function load(contract: string, overlay: string) {
  const root = join(createProject({ "openapi.yaml": contract, "overlay.yaml": overlay }), "openapi.yaml");
  const config = await createConfig({ "x-tenon": { overlays: ["overlay.yaml"] } } as object);
  return loadContract(root, config, { lint: false });
}

async function listProblems(contract: string, overlay: string): Promise<readonly string[]> {
  const loaded = await load(contract, overlay).catch((error: unknown) => {
    if (error instanceof ContractError) return error;
    throw error;
  });
  return loaded.problems.map(show);
}

const ITEMS = `openapi: 3.1.0
info: { title: Items, version: 1.0.0 }
paths:
  /items:
    get:
      tags: [paged, dummy]
      parameters: [{ name: dummy, in: query }, { name: filter, in: query }]
      responses: { "200": { description: OK } }
  /others:
    delete: { responses: { "204": { description: Gone }, default: { description: Failed } } }
`;

/** For each example of the specification: an overlay of its kind, and what it makes of {@link ITEMS}. */
const EXAMPLES: Readonly<Record<string, readonly [overlay: string, expected: (items: string) => string]>> = {
  "structured overlay": [
    toOverlay(
      "{ target: $, update: { info: { x-applied: true }, paths: { /items: { summary: All, get: { x-rate-limit: 100 } } }, tags: [{ name: paged }] } }",
    ),
    (items) =>
      `${items.replace("1.0.0 }", "1.0.0, x-applied: true }").replace("    get:\n", "    summary: All\n    get:\n      x-rate-limit: 100\n")}tags: [{ name: paged }]\n`,
  ],
  "targeted overlay": [
    toOverlay(
      "{ target: \"$.paths['/items'].get.responses['200'].description\", update: All items }",
      "{ target: \"$.paths['/others']\", update: { delete: { x-safe: false } } }",
    ),
    (items) => items.replace(": OK", ": All items").replace("delete: {", "delete: { x-safe: false,"),
  ],
  "wildcard overlay": [
    toOverlay(
      "{ target: $.paths.*.get, update: { x-safe: true } }",
      "{ target: \"$.paths.*.get.parameters[?@.name=='filter' && @.in=='query']\", update: { schema: { $ref: '#/components/schemas/Filter' } } }",
      "{ target: $, update: { components: { schemas: { Filter: { type: string } } } } }",
    ),
    (items) =>
      `${items.replace("get:", "get:\n      x-safe: true").replace("filter, in: query", "filter, in: query, schema: { $ref: '#/components/schemas/Filter' }")}components: { schemas: { Filter: { type: string } } }\n`,
  ],
  "an element is added to an array": [
    toOverlay("{ target: $.paths.*.get.parameters, update: { name: top, in: query } }"),
    (items) => items.replace("filter, in: query }", "filter, in: query }, { name: top, in: query }"),
  ],
  "an array is added to an array": [
    toOverlay("{ target: $.paths.*.get.tags, update: [a, b] }"),
    (items) => items.replace("dummy]", "dummy, a, b]"),
  ],
  "an element of an array is removed": [
    toOverlay("{ target: \"$.paths.*.get.parameters[?@.name == 'dummy']\", remove: true }"),
    (items) => items.replace("{ name: dummy, in: query }, ", ""),
  ],
  "a primitive element of an array is removed": [
    toOverlay("{ target: \"$.paths.*.get.tags[?@ == 'paged']\", remove: true }"),
    (items) => items.replace("paged, ", ""),
  ],
  "several elements of an array are removed": [
    toOverlay('{ target: "$.paths.*.get.*[0,1]", remove: true }'),
    (items) => items.replace(/\[.*\]/g, "[]"),
  ],
  traits: [
    toOverlay(
      "{ target: \"$.paths[?(@.get['tags'][?(@ == 'paged')])].get\", update: { parameters: [{ name: skip, in: query }] } }",
    ),
    (items) => items.replace("filter, in: query }", "filter, in: query }, { name: skip, in: query }"),
  ],
  "the matching responses of any depth are removed": [
    toOverlay("{ target: \"$.paths..responses['default']\", remove: true }"),
    (items) => items.replace(", default: { description: Failed }", ""),
  ],
  "a list is replaced": [
    toOverlay(
      "{ target: $.paths.*.get.tags, remove: true }",
      "{ target: $.paths.*.get, update: { tags: [new] } }",
    ),
    (items) => items.replace("paged, dummy", "new"),
  ],
  "simple copy": [
    toOverlay("{ target: \"$.paths['/others']\", copy: \"$.paths['/items']\" }"),
    (items) => items + items.slice(items.indexOf("    get:"), items.indexOf("  /others")),
  ],
  "the target is made before the copy": [
    toOverlay(
      "{ target: $.paths, update: { /new: {} } }",
      "{ target: \"$.paths['/new']\", copy: \"$.paths['/items']\" }",
    ),
    (items) => `${items}  /new:\n${items.slice(items.indexOf("    get:"), items.indexOf("  /others"))}`,
  ],
  move: [
    toOverlay(
      "{ target: $.paths, update: { /new: {} } }",
      "{ target: \"$.paths['/new']\", copy: \"$.paths['/items']\" }",
      "{ target: \"$.paths['/items']\", remove: true }",
    ),
    (items) => items.replace("/items", "/new"),
  ],
  "a copy into the value that is copied": [
    toOverlay("{ target: \"$.paths['/others'].delete.responses\", copy: \"$.paths['/others']\" }"),
    (items) =>
      items.replace(
        "Failed } }",
        "Failed }, delete: { responses: { '204': { description: Gone }, default: { description: Failed } } } }",
      ),
  ],
  "version 1.0": [
    toOverlay("{ target: $.info, update: { license: { name: MIT } } }").replace("1.1.0", "1.0.0"),
    (items) => items.replace("1.0.0 }", "1.0.0, license: { name: MIT } }"),
  ],
  "remove goes before update": [
    toOverlay("{ target: $.paths.*.delete, remove: true, update: { x-a: 1 } }"),
    (items) => items.replace(/ {4}delete: .*\n/, "").replace("/others:", "/others: {}"),
  ],
  "names that need escapes": [
    toOverlay(
      '{ target: $, update: { "x-\'\\\\~/\\"\\u0001": { a: 1 }, x-b: { __proto__: { a: 1 } } } }',
      '{ target: "$[?@.a].a", update: 2 }',
      "{ target: \"$['x-b']\", update: { __proto__: { a: 2 } } }",
    ),
    (items) => `${items}"x-'\\\\~/\\"\\u0001": { a: 2 }\nx-b: { __proto__: { a: 2 } }\n`,
  ],
};

describe("an overlay is applied as the specification's example", () => {
  test.each(Object.keys(EXAMPLES))("%s", async (name) => {
    const [overlay, toExpected] = EXAMPLES[name] ?? ["", String];
    const { document, problems } = await load(ITEMS, overlay);
    // Bundling adds an empty object.
    expect(JSON.parse(JSON.stringify(document))).toEqual({ components: {}, ...parse(toExpected(ITEMS)) });
    expect(problems).toEqual([]);
  });
});

const TARGET = "actions: [{ target: $ }]\n";

test.each([
  ["- root\n", "1:1 An overlay must be an object"],
  [HEAD, "1:1 `actions` is missing"],
  [`${HEAD}actions: []\n`, "3:10 `actions` must not be empty"],
  [`${HEAD}actions: {}\n`, "3:10 `actions` must be an array"],
  [`${HEAD}actions: [5]\n`, "3:11 An action must be an object"],
  [`${HEAD}actions: [{ update: {} }]\n`, "3:11 `target` is missing"],
  [`${HEAD}actions: [{ target: 100 }]\n`, "3:21 `target` must be a string"],
  [`${HEAD}actions: [{ target: $, remove: maybe }]\n`, "3:32 `remove` must be a boolean"],
  [`${HEAD}actions: [{ target: $, copy: 100 }]\n`, "3:30 `copy` must be a string"],
  [`${HEAD}actions: [{ target: $, description: 10 }]\n`, "3:37 `description` must be a string"],
  [`${HEAD}actions: [{ target: $, updates: {} }]\n`, '3:24 Unknown member "updates"'],
  [`${HEAD}actions: [{ target: $ }, { target: $ }]\n`, "3:26 The same action is above"],
  [`overlay: 2\ninfo: { title: a, version: b }\n${TARGET}`, "1:10 `overlay` must be a string"],
  [
    `overlay: 1.2.0\ninfo: { title: a, version: b }\n${TARGET}`,
    "1:10 `overlay` must be 1.0.0 or 1.1.0, found 1.2.0",
  ],
  [`overlay: 1.0.0\ninfo: a\n${TARGET}`, "2:7 `info` must be an object"],
  [`overlay: 1.0.0\ninfo: { title: a }\n${TARGET}`, "2:7 `version` is missing"],
  [`overlay: 1.0.0\ninfo: { title: 1, version: b }\n${TARGET}`, "2:16 `title` must be a string"],
  [`${HEAD}extends: {}\n${TARGET}`, "3:10 `extends` must be a string"],
  [toOverlay("{ target: info.title, update: a }"), '4:15 Invalid JSONPath: Expected "$" but "i" found.'],
  [toOverlay("{ target: $, remove: true }"), "4:15 The root of the document cannot be removed"],
  [toOverlay("{ target: $, update: 5 }"), "4:26 A primitive value cannot be merged into an object at #"],
  [
    toOverlay("{ target: $, update: { paths: { /items: [] } } }"),
    "4:26 An array cannot be merged into an object at #/paths/~1items",
  ],
  [
    toOverlay("{ target: $, update: { paths: { /items: { get: { tags: a } } } } }"),
    "4:26 A primitive value cannot be merged into an array at #/paths/~1items/get/tags",
  ],
  [
    toOverlay("{ target: \"$.paths['/items'].get.*\", update: {} }"),
    "4:15 The target must select values of one kind, found an array and an object",
  ],
  [toOverlay("{ target: $, update: {}, copy: $ }"), "4:36 An action must not have both `update` and `copy`"],
  [toOverlay("{ target: $, copy: $.paths.* }"), "4:24 `copy` must select one value, found 2"],
  [toOverlay("{ target: $, copy: $.none }"), "4:24 `copy` must select one value, found 0"],
])("an overlay that is invalid is an error with its position: %j", async (overlay, expected) => {
  const [first = ""] = await listProblems(ITEMS, overlay);
  const [at = "", message = ""] = expected.split(/ (.*)/);
  expect(first).toBe(`overlay.yaml:${at} overlay-invalid ${message}`);
});

test("each action that cannot be applied is reported", async () => {
  const overlay = toOverlay("{ target: $.paths, update: 1 }", "{ target: $.info, update: 1 }");
  expect(await listProblems(ITEMS, overlay)).toHaveLength(2);
});

test("a target that selects nothing is a warning with its position", async () => {
  expect(await listProblems(ITEMS, toOverlay("{ target: $.paths.*.patch, remove: true }"))).toEqual([
    "overlay.yaml:4:15 overlay-unmatched The target selects nothing",
  ]);
});

test.each([
  ["openapi.yaml", undefined],
  ["./openapi.yaml", undefined],
  ["https://example.com/openapi.yaml", undefined],
  ["v2.yaml", "v2.yaml"],
])("an overlay that extends %s", async (name, other) => {
  const overlay = toOverlay("{ target: $.info, update: { x-a: 1 } }").replace(
    "actions",
    `extends: ${name}\nactions`,
  );
  const message = `overlay.yaml:3:10 overlay-extends \`extends\` names another document, "${String(other)}"; the overlay is still applied`;
  expect(await listProblems(ITEMS, overlay)).toEqual(other === undefined ? [] : [message]);
});

test("an action changes one use of a YAML alias", async () => {
  const contract = toContract("x-a: &a { b: [1] }\nx-b: *a\npaths: {}\n");
  const { document, locate } = await load(contract, toOverlay("{ target: \"$['x-b'].b\", update: 2 }"));
  expect(document).toMatchObject({ "x-a": { b: [1] }, "x-b": { b: [1, 2] } });
  expect(locate("#/x-b/b/0")).toMatchObject({ line: 5, column: 15 });
  expect(basename(locate("#/x-b/b/1").file)).toBe("overlay.yaml");
});

describe("values are located where they are written", () => {
  const overlay = toOverlay(
    "target: $.paths['/items'].get.tags[0]\n    remove: true",
    "target: $.paths['/items'].get\n    update:\n      summary: List\n      tags: [last]\n      x-new: { deep: { er: [1, 2] } }",
    "target: $.paths['/others']\n    copy: $.paths['/items']",
    "target: $.paths['/others'].get['x-new']\n    update: { more: 1 }",
  );
  test.each([
    ["#/paths/~1items/get/responses", "openapi.yaml:8"],
    ["#/paths/~1items/get/tags/0", "openapi.yaml:6"],
    ["#/paths/~1items/get/tags/1", "overlay.yaml:9"],
    ["#/paths/~1items/get/summary", "overlay.yaml:8"],
    ["#/paths/~1items/get/x-new/deep/er/1", "overlay.yaml:10"],
    ["#/paths/~1others/delete", "openapi.yaml:10"],
    ["#/paths/~1others/get/responses", "openapi.yaml:8"],
    ["#/paths/~1others/get/tags/1", "overlay.yaml:9"],
    ["#/paths/~1others/get/x-new/deep", "overlay.yaml:10"],
    ["#/paths/~1others/get/x-new/more", "overlay.yaml:14"],
  ])("%s", async (pointer, expected) => {
    const { locate } = await load(ITEMS, overlay);
    const { file, line } = locate(pointer);
    expect(`${basename(file)}:${line}`).toBe(expected);
  });
});

const done = 'responses: { "204": { description: Done. } }';

/** Creates a project with an overlay, and lints it. */
async function lint(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const folder = createProject({ "redocly.yaml": OVERLAID, ...files });
  return { folder, ...(await runIn(folder, "lint", ...options)) };
}

describe("lint", () => {
  const contract = toContract(`paths:\n  /a:\n    get: { ${done} }\n`);

  test("reports a mistake in an overlay there, and the reference that it contains", async () => {
    const update = '{ requestBody: { $ref: "#/components/requestBodies/A" }, deprecated: maybe }';
    const { stdout, exitCode } = await lint({
      "openapi.yaml": contract,
      "overlay.yaml": toOverlay(`target: $.paths.*.get\n    update: ${update}`),
    });
    expect(stdout).toContain(
      'overlay.yaml:5:28  reference-unresolved  error: Cannot resolve $ref "#/components',
    );
    expect(stdout).toMatch(/overlay\.yaml:5:\d+ {2}struct/);
    expect(stdout).not.toContain("openapi.yaml:");
    expect(exitCode).toBe(1);
  });

  test("reports an overlay that cannot be read where redocly.yaml names it", async () => {
    const { stdout } = await lint({ "openapi.yaml": contract });
    expect(stdout).toContain('redocly.yaml:4:46  document-unreadable  error: Cannot read "overlay.yaml"');
  });

  test("fixes a name in an overlay", async () => {
    const { folder, stdout } = await lint(
      {
        "openapi.yaml": contract,
        "overlay.yaml": toOverlay("target: $.paths.*.get # all\n    update: { descripton: The text. }"),
      },
      "--fix",
    );
    expect(readFileSync(join(folder, "overlay.yaml"), "utf8")).toContain(
      "update: { description: The text. }",
    );
    expect(stdout).toContain("overlay.yaml");
  });

  test("refers to files relative to the contract", async () => {
    const { exitCode } = await lint({
      "openapi.yaml": contract,
      "overlay.yaml": toOverlay("{ target: $.paths.*, update: { $ref: paths/b.yaml } }"),
      "paths/b.yaml": `post: { ${done} }\n`,
    });
    expect(exitCode).toBe(0);
  });
});

test("a contract that is invalid by itself is valid with its overlay", async () => {
  const contract = toContract(`paths:\n  /a: { get: { responses: 5 }, post: { ${done} } }\n`).replace(
    "3.1.0",
    "2.0.0",
  );
  const { stdout, exitCode } = await lint({
    "openapi.yaml": contract,
    "overlay.yaml": toOverlay(
      "{ target: $.openapi, update: 3.1.0 }",
      "{ target: \"$.paths['/a'].get\", remove: true }",
    ),
  });
  expect([stdout, exitCode]).toEqual(["0 errors, 0 warnings\n", 0]);
});

test("an operation that an overlay makes invalid is left out of a lenient contract", async () => {
  const folder = createProject({
    "openapi.yaml": toContract(`paths:\n  /a: { get: { ${done} } }\n  /b: { get: { ${done} } }\n`),
    "overlay.yaml": toOverlay("{ target: \"$.paths['/b'].get\", update: { deprecated: 5 } }"),
  });
  const config = await createConfig({ "x-tenon": { lenient: true, overlays: ["overlay.yaml"] } } as object);
  const { contract, problems } = await loadModel({ root: join(folder, "openapi.yaml"), config });
  expect(contract.operations.map(({ path }) => path)).toEqual(["/a"]);
  expect(problems.map(show)).toEqual([expect.stringMatching(/^overlay\.yaml:4:.* part-left-out .*GET \/b/)]);
});

describe("limits", () => {
  test("copies of copies", async () => {
    const copy = (index: number) => `{ target: "$['x-a']", copy: "$['x-a']", description: "${index}" }`;
    const [first = ""] = await listProblems(
      toContract("x-a: [[]]\npaths: {}\n"),
      toOverlay(...Array.from({ length: 30 }, (_, index) => copy(index))),
    );
    expect(first).toMatch(/^overlay\.yaml:\d+:\d+ expansion-limit The overlays add more than 100000 objects/);
  });

  test("paths that branch again and again", async () => {
    const deep = `${"[".repeat(60)}${"]".repeat(60)}`;
    const target = `$${"[*,*]".repeat(40)}.none`;
    expect(
      await listProblems(toContract(`x-a: ${deep}\npaths: {}\n`), toOverlay(`{ target: "${target}" }`)),
    ).toEqual(["overlay.yaml:4:15 expansion-limit The JSONPath takes too many steps"]);
  });

  const TEXT = "b".repeat(100_000);

  test("many paths, each within its limit", async () => {
    const contract = toContract(`x-a: [${"1,".repeat(3_000)}1]\nx-b: ${TEXT}\npaths: {}\n`);
    const actions = Array.from({ length: 6 }, (_, index) => {
      const target = `$['x-a'][?search($['x-b'], '^c${index}')]`;
      return `{ target: "${target}", update: {} }`;
    });
    const problems = await listProblems(contract, toOverlay(...actions));
    expect(problems.map((problem) => problem.split(" ", 2)[1])).toEqual([
      ...Array.from({ length: 4 }, () => "overlay-unmatched"),
      ...Array.from({ length: 2 }, () => "expansion-limit"),
    ]);
  });

  test("a long text that is read for each value", async () => {
    const contract = toContract(`x-a: [${"1,".repeat(10_000)}1]\nx-b: ${TEXT}\npaths: {}\n`);
    const target = "$['x-a'][?search($['x-b'], '^c')]";
    expect(await listProblems(contract, toOverlay(`{ target: "${target}", update: {} }`))).toEqual([
      "overlay.yaml:4:15 expansion-limit The JSONPath takes too many steps",
    ]);
  });

  test.each([
    ["search(@, '^(a+)+$')", 'Invalid JSONPath: the pattern "^(a+)+$" of search takes exponential time'],
    ["match(@, '(a|a)*b')", 'Invalid JSONPath: the pattern "(a|a)*b" of match takes exponential time'],
    ["search(@, 'a*b')", 'Invalid JSONPath: the pattern "a*b" of search takes polynomial time'],
    ["!(@.a == 1 && search('a', @.b))", "Invalid JSONPath: the pattern of search must be a text"],
  ])("a filter with a pattern that takes long: %s", async (filter, expected) => {
    const contract = toContract(`x-a: ["${"a".repeat(40)}!"]\npaths: {}\n`);
    const problems = await listProblems(
      contract,
      toOverlay(`{ target: "$['x-a'][?${filter}]", update: {} }`),
    );
    expect(problems).toEqual([expect.stringContaining(`overlay.yaml:4:15 overlay-invalid ${expected}`)]);
  });

  test("a filter with a pattern that takes linear time selects", async () => {
    const overlay = toOverlay(`{ target: "$.paths[?match(@.get.summary, 'A[a-z]+')]", remove: true }`);
    const contract = toContract(
      "paths:\n  /a: { get: { summary: All } }\n  /b: { get: { summary: Other } }\n",
    );
    const { document } = await load(contract, overlay);
    expect(JSON.stringify(document)).not.toContain("All");
  });
});

describe("files outside of the project", () => {
  test.each(["../other.yaml", "/etc/hostname", "5"])("x-tenon.overlays: %s", async (name) => {
    const redocly = OVERLAID.replace("overlay.yaml", name === "5" ? "5, 6" : name);
    const { stdout, stderr } = await lint({ "openapi.yaml": ITEMS, "redocly.yaml": redocly });
    expect(stdout + stderr).toContain("redocly.yaml:4:35  api-overlays");
  });

  test("a URL of a host that is not allowed", async () => {
    const { stdout } = await lint({
      "openapi.yaml": ITEMS,
      "redocly.yaml": OVERLAID.replace("overlay.yaml", '"http://127.0.0.1:1/a.yaml"'),
    });
    expect(stdout).toContain("x-tenon.referenceHosts does not contain the host 127.0.0.1:1");
  });
});

describe("the contract with its overlays", () => {
  const contract = toContract(`paths:\n  /a: { get: { operationId: getA, ${done} } }\n`);
  const overlay = toOverlay(
    `{ target: $.paths, update: { /added: { get: { operationId: getAdded, ${done} } } } }`,
  );
  const files = { "redocly.yaml": OVERLAID, "openapi.yaml": contract, "overlay.yaml": overlay };

  test("is generated and documented", async () => {
    const folder = createProject(files);
    expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, "generated/server.ts"), "utf8")).toContain("getAdded");
    expect(await runIn(folder, "docs")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, "generated/docs/index.html"), "utf8")).toContain("/added");
  });

  test("is compared with that of a revision, as redocly.yaml was then", async () => {
    const folder = createProject({ ...files, "redocly.yaml": REDOCLY });
    const git = (...argv: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...argv], { cwd: folder });
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    writeFileSync(join(folder, "redocly.yaml"), OVERLAID);
    const added = await runIn(folder, "diff", "HEAD", "--format", "json");
    expect(JSON.parse(added.stdout)).toMatchObject({
      changes: [{ code: "operation-added", operation: "GET /added" }],
    });
    expect(added.stdout).toContain('"overlay.yaml"');
    git("commit", "-q", "-a", "-m", "two");
    expect((await runIn(folder, "diff", "HEAD")).stdout).toContain("No changes");
    writeFileSync(join(folder, "overlay.yaml"), overlay.replace("getAdded", "getMore"));
    expect((await runIn(folder, "diff", "HEAD")).stdout).toContain("getMore");
    writeFileSync(join(folder, "redocly.yaml"), REDOCLY);
    const { exitCode, stdout } = await runIn(folder, "diff", "HEAD");
    expect(stdout).toContain("HEAD:overlay.yaml");
    expect(exitCode).toBe(1);
  });

  test("has the overlays among its files, which are watched", async () => {
    const { files: read } = await load(contract, overlay);
    expect(read.map((file) => basename(file))).toEqual(["openapi.yaml", "overlay.yaml"]);
  });

  test("is compared with a file, which has no overlays", async () => {
    const folder = createProject({ ...files, "old.yaml": contract });
    const { stdout } = await runIn(folder, "diff", "old.yaml", "--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [{ code: "operation-added", operation: "GET /added" }],
    });
  });
});
