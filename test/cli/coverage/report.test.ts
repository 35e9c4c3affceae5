import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createReport, printCoverage, readRecords, toHtml } from "../../../src/cli/coverage/index.js";
import { UsageError } from "../../../src/cli/output/context.js";

const ITEMS = [
  { id: "a", kind: "response", title: "list: 200", pointer: "#/3" },
  { id: "b", kind: "response", title: "list: 400", pointer: "#/2" },
  { id: "c", kind: "parameter", title: "list: query limit", pointer: "#/1" },
] as const;

/** Positions in one file; the pointer is the line. */
const locate = (pointer: string) => ({ file: "openapi.yaml", line: Number(pointer.slice(2)) });

function report(...covered: readonly string[]) {
  return createReport(ITEMS, { contracts: [], covered: new Set(covered), undeclared: ["b", "a"] }, locate);
}

function writeRecords(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "records-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("a report", () => {
  test("counts by kind and rounds down", () => {
    const { total, kinds, points, undeclared, unknown } = report("a", "c", "gone");
    expect(total).toEqual({ covered: 2, total: 3, percent: 66.6 });
    expect(kinds).toEqual([
      { kind: "response", covered: 1, total: 2, percent: 50 },
      { kind: "parameter", covered: 1, total: 1, percent: 100 },
    ]);
    expect(points.map(({ id, line }) => [id, line])).toEqual([
      ["c", 1],
      ["b", 2],
      ["a", 3],
    ]);
    expect(undeclared).toEqual(["a", "b"]);
    expect(unknown).toBe(1);
  });

  test("of a contract without items is complete", () => {
    const record = { contracts: [], covered: new Set<string>(), undeclared: [] };
    expect(createReport([], record, locate).total).toEqual({ covered: 0, total: 0, percent: 100 });
  });

  test("is printed with the items that are not covered", () => {
    let text = "";
    const output = { write: (more: string) => (text += more) };
    printCoverage(report("a", "gone"), output);
    expect(text).toBe(
      [
        "response   1/2    50 %",
        "parameter  0/1     0 %",
        "all        1/3  33.3 %",
        "",
        "Not covered:",
        "  openapi.yaml:1  parameter  list: query limit",
        "  openapi.yaml:2  response  list: 400",
        "",
        "Not declared:",
        "  a",
        "  b",
        "1 recorded items are not in this contract: generate, and run the tests again.",
        "",
      ].join("\n"),
    );
  });

  test("has one line for an item that several operations share", () => {
    const shared = { kind: "response media type", pointer: "#/4" } as const;
    const items = ["list", "get", "add"].map((id) => ({ ...shared, id, title: `${id}: 401 text/plain` }));
    let text = "";
    printCoverage(createReport(items, { contracts: [], covered: new Set(), undeclared: [] }, locate), {
      write: (more: string) => (text += more),
    });
    expect(text).toContain(
      "Not covered:\n  openapi.yaml:4  response media type  list and 2 more: 401 text/plain\n",
    );
    expect(text).not.toContain("get: 401");
  });

  test("is a page that marks the lines of each file", () => {
    const page = toHtml("<API>", report("a"), () => "one\n<two>\nthree\nfour");
    expect(page).toContain("<title>Coverage of &lt;API&gt;</title>");
    expect(page).toContain('<tr class="none" id="openapi.yaml:2"><td>2</td><td>&lt;two&gt;</td>');
    expect(page).toContain('<tr class="all" id="openapi.yaml:3"><td>3</td><td>three</td><td></td></tr>');
    expect(page).toContain('<tr id="openapi.yaml:4"><td>4</td><td>four</td><td></td></tr>');
  });
});

describe("records", () => {
  test("of one contract are added up", () => {
    const folder = writeRecords({
      "1.jsonl": '{"contract":"/a"}\n{"id":"x"}\n{"undeclared":"GET /nope"}\n',
      "2.jsonl": '{"contract":"/a"}\n{"id":"y"}\n{"id":"half',
      "3.jsonl": '{"contract":"/b"}\n{"id":"z"}\n',
      "notes.txt": "not a record",
    });
    const { contracts, covered, undeclared } = readRecords(folder, "/a");
    expect([...contracts].sort()).toEqual(["/a", "/b"]);
    expect([...covered].sort()).toEqual(["x", "y"]);
    expect(undeclared).toEqual(["GET /nope"]);
  });

  test.each([["a damaged record", { "1.jsonl": "{\n" }, "1.jsonl:1 is not a line of a coverage record"]])(
    "%s is an error",
    (_, files, message) => {
      const folder = writeRecords(files);
      expect(() => readRecords(folder, "/a")).toThrow(UsageError);
      expect(() => readRecords(folder, "/a")).toThrow(message);
    },
  );
});
