// @thorough: tries hundreds of patterns.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { at } from "../openapi/document.js";
import { countSteps } from "../support/regexp-steps.js";

/** What callers send is read here. */
const FOLDERS = [
  "src/petstore",
  "src/tenon/runtime",
  "src/tenon/docs",
  "src/tenon/core/http",
  "src/tenon/core/parameters",
  "src/tenon/core/schema/pattern.ts",
];

/** Patterns that never see anything a caller sends. */
const NOT_OURS_TO_FEAR: readonly string[] = [
  "src/petstore/command.ts",
  "src/petstore/config-variable.ts",
  "src/petstore/keys/keys-command.ts",
  // They see the code of compiled schemas.
  "src/tenon/runtime/validation/adapted-code.ts",
];

function readSources(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    folder.endsWith(".ts")
      ? [folder]
      : readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  ).filter((file) => file.endsWith(".ts") && !NOT_OURS_TO_FEAR.includes(file));
}

function readLiterals(): readonly { file: string; pattern: RegExp }[] {
  return readSources().flatMap((file) => {
    const found: { file: string; pattern: RegExp }[] = [];
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        found.push({ file, pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** Texts that repeat what the pattern repeats, and then end as it does not want. */
function* hostileTexts({ source }: RegExp, length: number): Generator<string> {
  // The characters that it names, one that most classes have, and one that few have.
  const named = source.replace(/\\[a-zA-Z]/g, "").match(/[\x20-\x7e]/g) ?? [];
  const letters = [
    ...new Set([...named.filter((letter) => !/[()|?*+^$]/.test(letter)), "a", "0", " ", "/"]),
  ].slice(0, 16);
  const pumps = [...letters, ...letters.flatMap((one) => letters.map((other) => one + other))];
  for (const pump of pumps) {
    const text = pump.repeat(Math.ceil(length / pump.length));
    for (const start of ["", '"']) for (const end of ["\u0001", "\n", "a"]) yield start + text + end;
  }
}

/** The most steps for each character, over all hostile texts of about this length. */
function worst(pattern: RegExp, length: number): { steps: number; text: string } {
  let [steps, text] = [0, ""];
  for (const hostile of hostileTexts(pattern, length)) {
    const counted = countSteps(pattern, hostile);
    if (counted.steps > steps) [steps, text] = [counted.steps, hostile];
  }
  return { steps, text };
}

/** Twice the text is twice the steps, or a few more; where it were four times, 100 kB would take a minute. */
const isLinear = (pattern: RegExp): boolean => {
  const [short, long] = [worst(pattern, 80), worst(pattern, 160)];
  return long.steps <= short.steps * 2.5 + 50;
};

const literals = readLiterals();
const rows = [
  ...new Map(literals.map(({ file, pattern }) => [`${file} ${String(pattern)}`, pattern])).entries(),
];

describe("the patterns that see what callers send take steps in proportion to its length:", () => {
  test("there are some", () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  test.each(rows)("%s", (_, pattern) => {
    expect(isLinear(pattern)).toBe(true);
  });

  test("those that are built from text are known", () => {
    const built = readSources().filter((file) => readFileSync(file, "utf8").includes("new RegExp("));
    expect(built.sort()).toStrictEqual([
      // A class and a number of times.
      "src/petstore/keys/key.ts",
      // The contract's, see below.
      "src/tenon/core/schema/pattern.ts",
      // Path templates with several parameters in one segment, of which this contract has none.
      "src/tenon/runtime/routing/match.ts",
      // The scheme's name, then anything.
      "src/tenon/runtime/security/credentials.ts",
    ]);
    for (const path of Object.keys(at("paths") as object)) expect(path).not.toMatch(/\}[^/]|[^/]\{/);
    expect(isLinear(/^petstore_[0-9A-Za-z]{49}$/)).toBe(true);
    expect(isLinear(/^Digest (\S.*)$/i)).toBe(true);
  });

  test("those of the contract", () => {
    const patterns = [...JSON.stringify(at()).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, pattern = ""]) => JSON.parse(pattern) as string,
    );
    expect(patterns).toStrictEqual(['^"[ !#-\\[\\]-~]{1,255}"$']);
    for (const pattern of patterns) expect(isLinear(new RegExp(pattern))).toBe(true);
  });
});

describe("steps", () => {
  test.each([
    /(a+)+$/,
    /(a|a)*$/,
    /0*$/,
    /^(.*)a(.*)a(.*)$/,
    /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g,
    /\s+$/,
    /^(\w+\s?)*$/,
  ])("of %s are found to be more than that", (pattern) => {
    const long = pattern.source.startsWith("(a") || pattern.source.includes(")*$") ? 12 : 80;
    expect(worst(pattern, long).steps).toBeGreaterThan(worst(pattern, long / 2).steps * 2.5 + 50);
  });

  test.each<[RegExp, string]>([
    [/^[a-c]{2,3}$/, "abc"],
    [/^[a-c]{2,3}$/, "a"],
    [/x(?=y)|z(?!y)/, "..zyzx"],
    [/x(?=y)|z(?!y)/, "zyx"],
    [/^(?!\s*$)[^\p{C}]{1,3}$/u, "  a"],
    [/^(?:a|ab)c?$/, "abc"],
    [/a+?b/, "xaaab"],
    [/^a{2}$/, "aaa"],
  ])("are counted while matching as the engine does: %s in %s", (pattern, text) => {
    expect(countSteps(pattern, text).isFound).toBe(pattern.test(text));
  });
});
