// @thorough: runs a service and its test suites.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { CoverageReport } from "../../../src/cli/coverage/index.js";
import { createProject, toContract } from "../load/project.js";
import { installTenon } from "./compile.js";
import { runIn } from "./run.js";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

const CONTRACT = toContract(`paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 9, default: 1 } }
        - { name: kind, in: query, schema: { $ref: "#/components/schemas/Kind" } }
      responses:
        "200":
          description: Some.
          headers:
            X-Total: { schema: { type: integer } }
          content:
            application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Note" } } }
        "400": { description: Bad. }
    post:
      operationId: createNote
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: "#/components/schemas/Note" } }
      responses:
        "204": { description: Done. }
components:
  schemas:
    Kind: { enum: [plain, loud] }
    Note:
      type: object
      required: [text]
      properties:
        id: { type: integer, readOnly: true }
        text: { type: string, maxLength: 5 }
        kind: { $ref: "#/components/schemas/Kind" }
`);

/** A test suite: it starts the service, sends its arguments as requests, and kills itself. */
const SUITE = `
import express from "express";
import { createApi } from "./generated/server.js";
const app = express();
app.use(createApi({
  errorBody: () => ({}),
  onFailure: () => undefined,
  handlers: {
    listNotes: (_, reply) => reply[200]([{ id: 1, text: "a" }], { headers: { "X-Total": 1 } }),
    createNote: (_, reply) => reply[204](),
  },
}));
const server = app.listen(0, "127.0.0.1", async () => {
  const url = "http://127.0.0.1:" + server.address().port;
  for (const [method, path, body] of JSON.parse(process.argv[2])) {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  }
  process.kill(process.pid, "SIGKILL");
});
`;

let folder = "";
let ofList: CoverageReport;
beforeAll(async () => {
  folder = createProject({
    "openapi.yaml": CONTRACT,
    "suite.ts": SUITE,
    "package.json": '{"type":"module"}',
  });
  installTenon(folder, ["express"]);
  expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
  ofList = await cover([["GET", "/notes?limit=9"]]);
});

type Sent = readonly (readonly [method: string, path: string, body?: unknown])[];

const suite = (sent: Sent) => [
  "--",
  process.execPath,
  "--conditions=tenon-source",
  "--import",
  TSX,
  "suite.ts",
  JSON.stringify(sent),
];

async function cover(sent: Sent): Promise<CoverageReport> {
  const { stdout } = await runIn(folder, "coverage", "--json", ...suite(sent));
  return JSON.parse(stdout) as CoverageReport;
}

const titles = (report: CoverageReport, isCovered: boolean) =>
  report.points
    .filter((point) => point.isCovered === isCovered)
    .map(({ kind, title }) => `${kind}: ${title}`);

describe("tenon coverage", () => {
  test("reports the items that a request and its response cover", () => {
    expect(titles(ofList, true).sort()).toEqual([
      "parameter: listNotes: query limit",
      "request value: maximum 9",
      "response header: listNotes: 200 X-Total",
      "response media type: listNotes: 200 application/json",
      "response value: property id",
      "response value: property text",
      "response: listNotes: 200",
    ]);
    expect(ofList.undeclared).toEqual([]);
    expect(ofList.total).toEqual({ covered: 7, total: 20, percent: 35 });
  });

  test("does not count defaults and refused requests", async () => {
    const report = await cover([
      ["GET", "/notes"],
      ["GET", "/notes?limit=10"],
      ["POST", "/notes", { text: "too long" }],
    ]);
    const covered = titles(report, true);
    expect(covered.filter((title) => /^(parameter|request)/.test(title))).toEqual([]);
    expect(covered).toContain("response: listNotes: 400");
  });

  test("counts the values of bodies for each side", async () => {
    const report = await cover([["POST", "/notes", { text: "12345", kind: "loud" }]]);
    expect(titles(report, true).sort()).toEqual(
      [
        "request media type: createNote: application/json",
        'request value: "loud"',
        "request value: maxLength 5",
        "request value: property kind",
        "request value: property text",
        "response: createNote: 204",
      ].sort(),
    );
    // A readOnly property cannot be sent.
    expect(
      report.points.filter(({ kind, title }) => kind === "request value" && title === "property id"),
    ).toEqual([]);
  });

  test("lists undeclared requests and responses", async () => {
    const report = await cover([
      ["GET", "/nope"],
      ["DELETE", "/notes"],
      ["GET", "/notes?size=1"],
      ["POST", "/notes"],
    ]);
    expect(report.undeclared).toEqual([
      "DELETE /notes",
      "GET /nope",
      "createNote: status 400",
      "listNotes: 400 application/json",
      "listNotes: query parameter size",
    ]);
  });

  test("locates each item in the contract", () => {
    const lines = CONTRACT.split("\n");
    const placed = ofList.points.map(({ title, file, line }) => ({
      title,
      file,
      text: lines[line - 1]?.trim(),
    }));
    expect(placed).toContainEqual({
      title: "listNotes: 400",
      file: "openapi.yaml",
      text: '"400": { description: Bad. }',
    });
    expect(placed).toContainEqual({
      title: '"loud"',
      file: "openapi.yaml",
      text: "Kind: { enum: [plain, loud] }",
    });
    expect(placed).toContainEqual({
      title: "maxLength 5",
      file: "openapi.yaml",
      text: "text: { type: string, maxLength: 5 }",
    });
  });

  test("prints a table and the missing items, and fails below --fail-under", async () => {
    const { exitCode, stdout, stderr } = await runIn(
      folder,
      "coverage",
      "--fail-under",
      "50",
      ...suite([["GET", "/notes"]]),
    );
    expect(stdout).toMatch(/^response +1\/3 +33\.3 %\n/);
    expect(stdout).toContain("\nNot covered:\n  openapi.yaml:10  parameter  listNotes: query limit\n");
    expect(stderr).toContain("% of the contract is covered; --fail-under requires 50 %.\n");
    expect(exitCode).toBe(1);
  });

  test("writes a page of the contract's text", async () => {
    writeFileSync(join(folder, "openapi.yaml"), CONTRACT.replace("Bad.", '<b> & "Bad".'));
    await runIn(folder, "coverage", "--html", "out/page.html", ...suite([["GET", "/notes"]]));
    writeFileSync(join(folder, "openapi.yaml"), CONTRACT);
    const page = readFileSync(join(folder, "out/page.html"), "utf8");
    expect(page).toContain("&lt;b&gt; &amp; &quot;Bad&quot;.");
    expect(page).toMatch(/<tr class="none" id="openapi.yaml:19">.*not covered: listNotes: 400/);
    expect(page).toMatch(/<tr class="all" id="openapi.yaml:13">/);
    expect(page).not.toMatch(/<script|https?:/);
  });

  test("--records keeps records and adds them up", async () => {
    await runIn(folder, "coverage", "--records", "records", ...suite([["GET", "/notes?kind=loud"]]));
    await runIn(folder, "coverage", "--records", "records", ...suite([["GET", "/notes?kind=plain"]]));
    const { stdout } = await runIn(folder, "coverage", "--records", "records", "--json");
    const covered = titles(JSON.parse(stdout) as CoverageReport, true);
    expect(covered).toEqual(expect.arrayContaining(['request value: "plain"', 'request value: "loud"']));
  });

  test.each<[string, string[], string | RegExp]>([
    ["nothing to run", [], "error: Name the command that runs the tests: tenon coverage -- npm test\n"],
    ["tests that cannot be run", ["--", "nowhere"], /^error: Cannot run "nowhere": /],
    [
      "tests that start no service",
      ["--", process.execPath, "-e", "0"],
      /^error: No service enforced generated\/contract.json while/,
    ],
    [
      "tests that fail before they start a service",
      ["--", process.execPath, "-e", "process.exit(3)"],
      /^error: The tests failed with exit code 3\. No service enforced /,
    ],
    ["records that are not there", ["--records", "nowhere"], /^error: Cannot read the records in /],
    ["a percentage that is none", ["--fail-under", "much"], /It must be a number from 0 to 100/],
  ])("reports %s", async (_, argv, message) => {
    const { exitCode, stderr } = await runIn(folder, "coverage", ...argv);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });

  test("fails when the tests fail, with a report of the records before", async () => {
    const failing = 'require("node:child_process"); process.exit(3)';
    const { exitCode, stdout, stderr } = await runIn(
      folder,
      "coverage",
      "--records",
      "records",
      "--",
      process.execPath,
      "-e",
      failing,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "The tests failed with exit code 3.\n" });
    expect(stdout).toContain("Not covered");
  });
});
