import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import { SECTIONS, toSection } from "../../../src/cli/changelog/changelog.js";
import type { DiffReport } from "../../../src/cli/diff/diff-contracts.js";
import { CODES } from "../../../src/cli/diff/codes/codes.js";
import { REDOCLY, toContract } from "../load/project.js";
import { ASKED, REPORT } from "./diff-report.js";
import { createRepository } from "./repository.js";
import { runIn } from "./run.js";

describe("JSON for machines", () => {
  const readSchema = (name: string) =>
    JSON.parse(
      readFileSync(new URL(`../../../src/cli/schemas/${name}.schema.json`, import.meta.url), "utf8"),
    ) as object;

  /** What consumers may find that the schema does not know is for the schema to tell: here nothing else is allowed. */
  function toStrict(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(toStrict);
    if (typeof schema !== "object" || schema === null) return schema;
    const members = Object.entries(schema).map(([key, value]) => [key, toStrict(value)] as const);
    const isObject = "properties" in schema && "type" in schema;
    return { ...Object.fromEntries(members), ...(isObject && { additionalProperties: false }) };
  }

  const ajv = new Ajv2020({ allErrors: true });
  const isDiff = ajv.compile(toStrict(readSchema("diff")) as object);
  const isChangelog = ajv.compile(toStrict(readSchema("changelog")) as object);

  /** One of each: what changed, came, went, and is ignored. */
  function createPast() {
    const { folder, commit, git } = createRepository({
      "redocly.yaml": REDOCLY.replace(
        "output: generated",
        "output: generated, diff: { ignore: [{ code: operation-added, reason: Fine. }] }",
      ),
    });
    const withMaximum = (maximum: number) =>
      `paths:\n  /a:\n    get:\n      parameters: [{ name: n, in: query, schema: { maximum: ${maximum} } }]\n      responses: {}\n`;
    commit({ "openapi.yaml": toContract(`${withMaximum(9)}  /b: { get: { responses: {} } }\n`) });
    git("tag", "v1.0.0");
    writeFileSync(
      join(folder, "openapi.yaml"),
      toContract(`${withMaximum(8)}  /c: { get: { description: C, responses: {} } }\n`),
    );
    return folder;
  }

  test("of a comparison is as its schema says", async () => {
    const { stdout } = await runIn(createPast(), "diff", "v1.0.0", "--json");
    const report = JSON.parse(stdout) as DiffReport;
    expect(report.changes.map(({ code }) => code).sort()).toEqual([
      "operation-added",
      "operation-removed",
      "request-maximum-lowered",
      "texts-changed",
    ]);
    isDiff(report);
    expect(isDiff.errors).toBeNull();
    for (const one of [REPORT, ASKED]) {
      isDiff(JSON.parse(JSON.stringify(one)));
      expect(isDiff.errors).toBeNull();
    }
  });

  test("of a changelog is as its schema says", async () => {
    const { stdout } = await runIn(createPast(), "changelog", "--json");
    const changelog: unknown = JSON.parse(stdout);
    expect(changelog).toMatchObject({
      title: "Test",
      versions: [{ version: "Unreleased" }, { version: "1.0.0" }],
    });
    isChangelog(changelog);
    expect(isChangelog.errors).toBeNull();
  });

  test("every code has the form that the schema promises, and a section of the changelog", () => {
    for (const [code, { level }] of Object.entries(CODES)) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(SECTIONS).toContain(toSection({ code, level }));
    }
    const inSection = (section: string) =>
      Object.entries(CODES)
        .filter(([code, { level }]) => toSection({ code, level }) === section)
        .map(([code]) => code);
    expect(inSection("removed")).toEqual(
      Object.keys(CODES).filter((code) => /^(operation|webhook|callback)-removed$|-after-sunset$/.test(code)),
    );
    expect(inSection("removed").length).toBeGreaterThan(3);
    expect(inSection("added")).toEqual(["operation-added", "callback-added", "webhook-added"]);
    expect(inSection("deprecated")).toEqual(
      Object.keys(CODES).filter((code) => /deprecat|sunset-|^repl/.test(code)),
    );
  });
});
