import { readdirSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The only folder that reads OpenAPI documents; all others read the model that it builds. */
const CORE = "src/tenon/core/";

/** Files that read a `$ref` which is not a document's, and whose it is. */
const OTHERS: Readonly<Record<string, string>> = {
  "src/cli/generate/types/typed-schema.ts": "of the schemas that are written for openapi-typescript",
  "src/cli/lint/validate.ts": "of the schemas that are written for a rule of Redocly's",
  "src/cli/project/config-problems.ts": "of redocly.yaml, where one rule has this name",
};

const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: "utf8" })
  .map((path) => posix.join("src", path.split(sep).join("/")))
  .filter(
    (path) => path.endsWith(".ts") && !/\/(?:dist|node_modules)\//.test(path) && !path.startsWith(CORE),
  );

/** Whether a name or text `$ref` is the key of an object that is written: `{ $ref: "#/components/schemas/Pet" }`. */
function isWritten(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** Lines that read a `$ref`: `node["$ref"]`, `node.$ref`, `const { $ref } = node`, `"$ref" in node`, `getOwn(node, "$ref")`. */
function findReads(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isRef = (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && node.text === "$ref";
    if (isRef && !isWritten(node))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("a document is read once", () => {
  test("no other folder than the core follows a reference", () => {
    const reads = files
      .filter((file) => !(file in OTHERS))
      .flatMap((file) => findReads(file, readFileSync(ROOT + file, "utf8")));
    expect(reads).toEqual([]);
  });

  test("the exceptions exist", () => {
    for (const file of Object.keys(OTHERS))
      expect(findReads(file, readFileSync(ROOT + file, "utf8"))).not.toEqual([]);
  });

  test("no other folder than the core knows what was nullable in OpenAPI 3.0", () => {
    expect(
      files.filter((file) =>
        /nullable/i.test(readFileSync(ROOT + file, "utf8").replaceAll("NonNullable", "")),
      ),
    ).toEqual([]);
  });

  test.each([
    'const to = node["$ref"];',
    "const to = node.$ref;",
    "const { $ref } = node;",
    "const { $ref: to } = node;",
    'if ("$ref" in node) follow();',
    'const to = getOwn(node, "$ref");',
  ])("%s is found", (text) => {
    expect(findReads("x.ts", text)).toEqual(["x.ts:1"]);
  });

  test.each([
    'const node = { $ref: "#/a" };',
    'const node = { "$ref": to };',
    'throw Error("no $ref here");',
  ])("%s is writing", (text) => {
    expect(findReads("x.ts", text)).toEqual([]);
  });
});
