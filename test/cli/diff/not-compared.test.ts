import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { findUncompared } from "../../../src/cli/diff/contract/not-compared.js";
import { diffContracts } from "../../../src/cli/diff/index.js";
import { toGithub, toJunit, toMarkdown, writeText } from "../../../src/cli/diff/report/index.js";
import { createDiffPage } from "../../../src/cli/docs/changes/index.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { applyEdit } from "./edit.js";
import { NOW } from "./pair.js";

const base = parse(readFileSync(new URL("./pairs/base.yaml", import.meta.url), "utf8")) as Node;
const operation = "/paths/~1pets/get";
const text = { type: "string" };
const done = { description: "Done." };
const schema = { schema: text };

/** Lists the parts that are not compared as `revision #/paths/… The schema …`. */
function list(before: Node, after: Node): readonly string[] {
  const contracts = { base: buildContract(before), revision: buildContract(after) };
  return findUncompared(contracts).map(({ at, message }) => `${at.side} ${at.pointer} ${message}`);
}

const UNUSED = "The schema is not compared: no operation uses it, or OpenAPI ignores it";

type Row = readonly [name: string, pointer: string, value: unknown, ...listed: readonly string[]];

const rows: readonly Row[] = [
  ["a schema component", "/components/schemas/Unused", text, `#/components/schemas/Unused ${UNUSED}`],
  [
    "the schema of an unused parameter",
    "/components/parameters/Unused",
    { name: "a", in: "query", ...schema },
    `#/components/parameters/Unused/schema ${UNUSED}`,
  ],
  [
    "the schema of an unused response",
    "/components/responses/Unused",
    { ...done, content: { "text/plain": schema } },
    `#/components/responses/Unused/content/text~1plain/schema ${UNUSED}`,
  ],
  [
    "a header parameter that OpenAPI ignores",
    `${operation}/parameters/3`,
    { name: "Accept", in: "header", ...schema },
    `#${operation}/parameters/3/schema ${UNUSED}`,
  ],
  [
    "a response header that OpenAPI ignores",
    `${operation}/responses/299`,
    { ...done, headers: { "Content-Type": schema } },
    `#${operation}/responses/299/headers/Content-Type/schema ${UNUSED}`,
  ],
  [
    "a response whose key is no status",
    `${operation}/responses/2xx`,
    { ...done, content: { "text/plain": schema } },
    `#${operation}/responses/2xx/content/text~1plain/schema ${UNUSED}`,
  ],
  [
    "an XML name",
    `${operation}/responses/299`,
    { ...done, content: { "application/xml": { schema: { ...text, xml: { name: "a" } } } } },
    `#${operation}/responses/299/content/application~1xml/schema/xml The XML name is not compared`,
  ],
  [
    "a link by operationRef",
    `${operation}/responses/299`,
    { ...done, links: { next: { operationRef: `#${operation}` } } },
    `#${operation}/responses/299/links/next The link is not compared: it has an \`operationRef\``,
  ],
  [
    "the servers, security and callbacks of a webhook",
    "/webhooks/other",
    {
      post: {
        servers: [],
        security: [],
        responses: {},
        callbacks: { a: { "{$url}": { post: { requestBody: { content: { "text/plain": schema } } } } } },
      },
    },
    "#/webhooks/other/post/servers The servers of a callback or webhook are not compared",
    "#/webhooks/other/post/security The security of a callback or webhook is not compared",
    `#/webhooks/other/post/callbacks/a/{$url}/post/requestBody/content/text~1plain/schema ${UNUSED}`,
  ],
];

describe("a part that is not compared is listed with its place", () => {
  test.each(rows)("%s", (_, pointer, value, ...listed) => {
    const revision = applyEdit(base, { set: { [pointer]: value } });
    expect(list(base, revision)).toEqual(listed.map((one) => `revision ${one}`));
    expect(list(revision, base)).toEqual(listed.map((one) => `base ${one}`));
    expect(list(revision, revision)).toEqual([]);
  });

  test.each<Row>([
    ["a response", `${operation}/responses/299`, { ...done, content: { "*/*": schema } }],
    ["a parameter", `${operation}/parameters/3`, { name: "a", in: "query", ...schema }],
    [
      "a parameter with content",
      `${operation}/parameters/3`,
      { name: "a", in: "query", content: { "application/json": schema } },
    ],
    ["a header", `${operation}/responses/299`, { ...done, headers: { "X-A": schema } }],
    [
      "the header of a part",
      "/paths/~1pets/post/requestBody/content/multipart~1form-data",
      { schema: { properties: { a: text } }, encoding: { a: { headers: { "X-A": schema } } } },
    ],
    [
      "a callback",
      `${operation}/callbacks/other`,
      {
        "{$url}": {
          post: {
            parameters: [{ name: "a", in: "query", ...schema }],
            responses: { "200": { ...done, content: { "text/plain": schema } } },
          },
        },
      },
    ],
    [
      "a webhook",
      "/webhooks/other",
      { post: { requestBody: { content: { "text/plain": schema } }, responses: {} } },
    ],
    [
      "content within a text",
      `${operation}/responses/299`,
      {
        ...done,
        content: { "*/*": { schema: { ...text, contentSchema: { properties: { schema: text } } } } },
      },
    ],
    ["data", "/components/examples/other", { value: { schema: text, xml: { name: "a" } } }],
  ])("%s is compared, or is data", (_, pointer, value) => {
    const revision = applyEdit(base, { set: { [pointer]: value } });
    expect(list(base, revision)).toEqual([]);
    expect(list(revision, base)).toEqual([]);
  });

  test("a part that moves is equal", () => {
    const [before, after] = ["A", "B"].map((name) =>
      applyEdit(base, { set: { [`/components/schemas/${name}`]: text } }),
    );
    expect(list(before ?? {}, after ?? {})).toEqual([]);
  });
});

describe("every report lists the parts that are not compared, and the policy", () => {
  const compare = async () => {
    const revision = applyEdit(base, { set: { "/components/schemas/Unused": text } });
    const [before, after] = [base, revision].map((document) => ({
      contract: buildContract(document),
      locate: (pointer: string) => ({ file: "openapi.yaml", line: 7, pointer }),
    }));
    if (before === undefined || after === undefined) throw new Error("A contract is missing");
    const diff = await diffContracts({ base: before, revision: after }, { now: NOW, policy: "strict" });
    return { base: "old.yaml", revision: "openapi.yaml", ...diff };
  };

  test("JSON", async () => {
    expect(await compare()).toMatchObject({
      policy: "strict",
      notCompared: [
        { message: UNUSED, file: "openapi.yaml", line: 7, pointer: "#/components/schemas/Unused" },
      ],
    });
  });

  test("text", async () => {
    const written: string[] = [];
    writeText(
      await compare(),
      { write: (part: string) => written.push(part) > 0 },
      { readLine: () => undefined, verbose: true },
    );
    expect(written.join("")).toMatch(
      `Different, but not compared:\n  openapi.yaml:7  ${UNUSED}\nPolicy: strict\nNot compared: examples,`,
    );
  });

  test("Markdown", async () => {
    const markdown = toMarkdown(await compare());
    expect(markdown).toContain("<summary>Different, but not compared (1)</summary>\n\n- openapi.yaml:7 ");
    expect(markdown).toContain("<sub>Policy: strict. Not compared: ");
  });

  test("GitHub annotations", async () => {
    const text = toGithub(await compare(), (file) => ({ file, isSame: true }));
    expect(text).toContain(`::notice file=openapi.yaml,line=7,title=not compared::${UNUSED}.\n`);
    expect(text).toContain("\nPolicy: strict\nNot compared: ");
  });

  test("JUnit", async () => {
    const xml = toJunit(await compare(), { failOn: "breaking", checkVersion: false });
    expect(xml).toContain('<property name="policy" value="strict"/>');
    expect(xml).toContain(
      `name="not-compared: ${UNUSED}" file="openapi.yaml" line="7" time="0"><skipped message="${UNUSED}">`,
    );
    expect(xml).toContain("<system-out>Policy: strict\nNot compared: ");
  });

  test("HTML", async () => {
    const page = createDiffPage(await compare());
    expect(page).toContain("<h2>Different, but not compared</h2>");
    expect(page).toContain("<p>Policy: strict. Not compared: ");
  });
});
