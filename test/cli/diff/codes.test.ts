import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { describe, expect, test } from "@jest/globals";
import { CODES } from "../../../src/cli/diff/codes/codes.js";
import {
  effectOf,
  explainSchema,
  levelOf,
  SCHEMA_CODES,
  type SchemaCode,
} from "../../../src/cli/diff/codes/schema-codes.js";

const read = (name: string): string => readFileSync(new URL(`./pairs/${name}`, import.meta.url), "utf8");

/** Codes that no short pair can provoke, with the reason. */
const UNPROVOKED: Readonly<Record<string, string>> = {
  "request-alternatives-not-compared": "requires more than 200 alternatives",
  "response-alternatives-not-compared": "requires more than 200 alternatives",
  "texts-changed": "is not part of the expected changes",
};

/** Codes that at least one pair expects. */
function findExpected(): ReadonlySet<string> {
  const ofDocuments = [...read("documents.yaml").matchAll(/(?:breaking|risky|safe) ([a-z-]+)/g)].map(
    ([, code]) => code ?? "",
  );
  const ofSchemas = [
    ...read("schemas.yaml").matchAll(/([a-z-]+) (breaking|risky|safe|-)\/(breaking|risky|safe|-)/g),
  ];
  return new Set([
    ...ofDocuments,
    ...ofSchemas.flatMap(([, code = "", request, response]) => [
      ...(request === "-" ? [] : [`request-${code}`]),
      ...(response === "-" ? [] : [`response-${code}`]),
    ]),
  ]);
}

describe("codes of changes", () => {
  test("each is expected by a pair unless a reason is given, and pairs expect no unknown code", () => {
    const expected = findExpected();
    const unexpected = Object.keys(CODES).filter((code) => !expected.has(code) && !(code in UNPROVOKED));
    expect(unexpected).toEqual([]);
    expect([...expected].filter((code) => !(code in CODES))).toEqual([]);
  });

  test("each has a counterpart in the same direction", () => {
    const missing = Object.values(CODES).filter(({ counterpart }) => !(counterpart in CODES));
    expect(missing).toEqual([]);
    for (const { direction, counterpart } of Object.values(CODES)) {
      expect(CODES[counterpart]?.direction).toBe(direction);
    }
  });

  test("fewer values break requests and not responses", () => {
    const codes = Object.keys(SCHEMA_CODES) as SchemaCode[];
    const narrower = codes.filter((code) => effectOf(code) === "narrower" && !code.includes("property"));
    expect(narrower).not.toEqual([]);
    for (const code of narrower) {
      expect(levelOf(code, "request")).toBe("breaking");
      expect(levelOf(code, "response")).toBe("safe");
    }
    for (const code of codes) expect(explainSchema(code, "request")).toMatch(/\.$/);
  });
});

describe("CODES.md", () => {
  const file = new URL("../../../src/cli/diff/CODES.md", import.meta.url);

  test("lists every code as it is", () => {
    const rows = Object.entries(CODES).map(
      ([code, { level, counterpart, why }]) => `| \`${code}\` | ${level} | \`${counterpart}\` | ${why} |`,
    );
    const text = [
      "# Codes of `tenon diff`",
      "",
      "Written by the test of the codes with `UPDATE_FIXTURES=1`. Levels are those that redocly.yaml does not change.",
      "",
      "| Code | Level | Counterpart | What it means |",
      "| --- | --- | --- | --- |",
      ...rows,
      "",
    ].join("\n");
    if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
