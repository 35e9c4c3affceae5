import { describe, expect, test } from "@jest/globals";
import { createDiffPage } from "../../../src/cli/docs/changes/diff-page.js";
import { toJunit } from "../../../src/cli/diff/report/junit.js";
import { toMarkdown } from "../../../src/cli/diff/report/markdown.js";
import type { Change } from "../../../src/cli/diff/change.js";
import { createProject, toContract } from "../load/project.js";
import { ASKED, CODE_PLACE, REPORT, toChange } from "./diff-report.js";
import { runIn } from "./run.js";

const NOTES = [
  "Clients may not compile: params.query.limit is required now.",
  "src/pets.ts:3:5  TS2322  Type 'a' is not assignable to type 'b'.",
];

/** Attributes of every case, and what is in it. */
function readCases(xml: string): readonly Readonly<Record<string, string>>[] {
  return [...xml.matchAll(/<testcase ([^>]*)><([\w-]+)/g)].map(([, attributes = "", outcome = ""]) => {
    const pairs = [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]);
    return { ...(Object.fromEntries(pairs) as Record<string, string>), outcome };
  });
}

describe("JUnit", () => {
  const fail = { failOn: "breaking", checkVersion: false } as const;

  test("has a case for each change and one for the version", () => {
    const xml = toJunit(REPORT, fail);
    const name = "request-maximum-lowered: It is different";
    const place = { file: "openapi.yaml", line: "7", time: "0" };
    expect(readCases(xml)).toEqual([
      { classname: "GET /pets", name, ...place, outcome: "failure" },
      { classname: "GET /pets", name: `${name} (2)`, ...place, line: "8", outcome: "failure" },
      {
        classname: "GET /pets/{petId}",
        name: "response-enum-value-added: It is different",
        ...place,
        outcome: "system-out",
      },
      { classname: "POST /pets", name: "operation-added: It is different", ...place, outcome: "system-out" },
      { classname: "DELETE /pets", name: "operation-removed: It is different", ...place, outcome: "skipped" },
      { classname: "the contract", name: "info.version is high enough", time: "0", outcome: "skipped" },
    ]);
    expect(xml).toContain('<testsuites name="tenon diff" tests="6" failures="2" errors="0" skipped="2">');
    expect(xml).toContain(
      '<failure message="breaking: It is different">breaking: It is different\nClients notice.\nopenapi.yaml:7</failure>',
    );
  });

  test.each([
    ["none", false, 0],
    ["risky", false, 3],
    ["breaking", true, 3],
  ] as const)("--fail-on %s, and --check-version: %s, fail %i cases", (failOn, checkVersion, failures) => {
    expect(toJunit(REPORT, { failOn, checkVersion })).toContain(` failures="${failures}"`);
  });

  test("has a case where nothing is different", () => {
    const version = {
      before: "1.0.0",
      after: "1.0.0",
      bump: "none",
      proposed: "1.0.0",
      enough: true,
    } as const;
    expect(readCases(toJunit({ ...REPORT, changes: [], version }, fail))).toMatchObject([
      { classname: "the contract", outcome: "system-out" },
    ]);
  });

  test("tells what a change means to code", () => {
    const xml = toJunit(ASKED, fail);
    expect(xml).toContain(`Clients notice.\nopenapi.yaml:7\n${NOTES.join("\n")}</failure>`);
    expect(xml).toContain("It has no handler yet.</system-out>");
  });

  test("is what the command prints, and its exit code that of the other formats", async () => {
    const folder = createProject({
      "openapi.yaml": toContract("paths: {}\n"),
      "old.yaml": toContract("paths: { /pets: { get: { responses: {} } } }\n"),
    });
    const { exitCode, stdout } = await runIn(folder, "diff", "old.yaml", "--format", "junit");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/);
    expect(readCases(stdout)).toMatchObject([{ classname: "GET /pets", outcome: "failure" }, {}]);
  });
});

describe("Markdown", () => {
  const many = (level: Change["level"], count: number): Change[] =>
    Array.from({ length: count }, (_, index) =>
      toChange({ code: "operation-removed", level, operation: `GET /${level}/${index}`, line: index + 1 }),
    );

  test("is cut openly where a comment would be too long, what is safe first", () => {
    const changes = [...many("breaking", 300), ...many("risky", 500), ...many("safe", 300)];
    const text = toMarkdown({ ...REPORT, changes });
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(text).toContain("GET /breaking/299");
    const [, rest] = /\n\nand (\d+) more\n/.exec(text) ?? [];
    expect(text.match(/^\| GET \/risky/gm)).toHaveLength(500 - Number(rest));
    expect(text).toContain("<details><summary>Safe (300)</summary>\n\n300 changes\n\n</details>");
    expect(text).toContain("The comment is too short for all changes");
    expect(text).toMatch(/Not compared: examples\.<\/sub>\n$/);
  });

  test("holds as many as there is room for", () => {
    const changes = [...many("breaking", 2000), ...many("risky", 1), ...many("safe", 1)];
    const text = toMarkdown({ ...REPORT, changes });
    expect(text.length).toBeGreaterThan(64_000);
    expect(text.length).toBeLessThanOrEqual(65_000);
  });

  test("leaves out the list of code where there is too much of it, and says so", () => {
    const operations = Array.from({ length: 50 }, (_, line) => ({
      operation: `GET /${"@".repeat(200)}`,
      places: [{ ...CODE_PLACE, line }],
    }));
    const { impact } = ASKED;
    const text = toMarkdown({ ...REPORT, ...(impact && { impact: { ...impact, operations } }) });
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(text).toContain("51 places of the code here do not compile.");
    expect(text).not.toContain("<summary>Code");
    expect(text).toContain("The comment is too short for all changes");
    expect(toMarkdown(ASKED)).toContain("<summary>Code (2)");
  });

  test("of few changes is whole, and a text of a contract does not crowd out the rest", () => {
    const huge = toChange({
      code: "operation-removed",
      level: "breaking",
      message: "@".repeat(100_000),
      line: 9,
    });
    const text = toMarkdown({ ...REPORT, changes: [huge, ...REPORT.changes] });
    expect(text).toContain("… and 99500 more characters");
    expect(text).not.toContain("The comment is too short");
    expect(text.match(/^\| [^O-]/gm)).toHaveLength(6);
  });
});

describe("HTML", () => {
  const page = createDiffPage(REPORT);

  test("names nothing outside of itself", () => {
    const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target);
    expect(named).toEqual(["data:,", "#group-0", "#group-1", "#group-2", "#group-3"]);
    expect(page).not.toMatch(/@import|url\(/);
  });

  test("has headings by operation, and each change below its own", () => {
    const headings = [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, text]) => text);
    expect(headings).toEqual(["GET /pets", "GET /pets/{petId}", "POST /pets", "DELETE /pets"]);
    expect(page).toContain("<dt>Before</dt><dd><pre>100</pre></dd>");
    expect(page).toContain("<dt>After</dt><dd><pre>50</pre></dd>");
    expect(page).toContain("openapi.yaml:8");
  });

  test("tells what many operations share once, with their names", () => {
    const changes = ["GET /a", "GET /b", "GET /c", "GET /d"].map((operation) =>
      toChange({ code: "response-enum-value-added", level: "risky", operation }),
    );
    const shared = createDiffPage({ ...REPORT, changes });
    expect(shared.match(/class="change"/g)).toHaveLength(1);
    expect(shared).toContain("Several operations");
    expect(shared).toContain("<summary>4 operations</summary>");
    expect(shared).not.toContain('<form class="filter"');
  });

  test("tells what changes mean to code, and what belongs to none of them", () => {
    const asked = createDiffPage(ASKED);
    expect(asked).toContain(`<ul class="notes">${NOTES.map((note) => `<li>${note}</li>`).join("")}</ul>`);
    expect(asked).toContain(
      "<p>Clients of 1 operation may not compile. 2 places of the code here do not compile.",
    );
    expect(asked).toMatch(/<h2>Other code<\/h2>\n<ul class="notes"><li>src\/other\.ts:3:5 {2}TS2322/);
  });

  test("says that nothing is different", () => {
    expect(createDiffPage({ ...REPORT, changes: [] })).toContain("<p>No changes.</p>");
  });
});
