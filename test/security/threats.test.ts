import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";

const rows = readFileSync("SECURITY.md", "utf8")
  .split("\n")
  .filter((line) => /^\| (?!Threat |-)/.test(line))
  .map((line) => line.split(/ +\| /).map((cell) => cell.replace(/^\| | *\|$/g, "")));

describe("SECURITY.md", () => {
  test("has every threat of the OWASP API Security Top 10, in its order", () => {
    const named = rows.flatMap(([threat = ""]) => /^API(\d+) /.exec(threat)?.[1] ?? []);
    expect(named).toStrictEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  });

  test.each(rows)("%s: has an answer, and tests that exist", (_, answer = "", proofs = "") => {
    expect(answer).not.toBe("");
    const files = [...proofs.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(file) || !/^test\/.+\.test\.ts$/.test(file))).toStrictEqual([]);
  });

  test("names every test of this folder", () => {
    const text = rows.flat().join(" ");
    expect(
      readdirSync(import.meta.dirname).filter((file) => !text.includes(`test/security/${file}`)),
    ).toStrictEqual([]);
  });
});

/** Modules and functions that reach other hosts or run programs. */
const REACHING = /^(node:)?(http2|https|dgram|dns|child_process|inspector|repl|undici|axios|got)(\/|$)/;

/** Runs in the reader's browser, and calls what the reader says: the console of the docs. */
const READERS_OWN = "src/cli/docs/browser/console/send.ts";

test("nothing that answers requests reaches another host or runs a program", () => {
  const found = ["src/petstore", "src/tenon/runtime", "src/tenon/docs"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && `${folder}/${file}` !== READERS_OWN)
      .flatMap((file) => {
        const text = readFileSync(join(folder, file), "utf8");
        const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
        const reaching: string[] = ts
          .preProcessFile(text, true, true)
          .importedFiles.map(({ fileName }) => fileName)
          .filter((name) => REACHING.test(name));
        const visit = (node: ts.Node): void => {
          if (ts.isCallExpression(node) && /^(globalThis\.)?(fetch|eval)$/.test(node.expression.getText()))
            reaching.push(node.expression.getText());
          ts.forEachChild(node, visit);
        };
        visit(source);
        return reaching.map((what) => `${folder}/${file}: ${what}`);
      }),
  );
  expect(found).toStrictEqual([]);
});
