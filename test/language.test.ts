import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Files and folders whose texts and names are checked. */
const CHECKED = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "decisions", "openapi", "src"];

/** Words to avoid and their replacements. Identifiers count as words: `tellProblems` contains "tell". */
const IDIOMS: readonly { readonly name: string; readonly pattern: RegExp; readonly say: string }[] = [
  { name: "tell", pattern: /\b(?:tells?|told|telling)\b/i, say: "report, print, show, list" },
  { name: "answer", pattern: /\banswer(?:s|ed|ing)?\b/i, say: "response, respond; result of a question" },
  { name: "judge", pattern: /\bjudg(?:es?|ed|ing|e?ments?)\b/i, say: "validate, check; validator" },
  { name: "fault", pattern: /\bfaults?\b(?! injection)/i, say: "bug, failure, error" },
  { name: "mend", pattern: /\bmend(?:s|ed|ing)?\b/i, say: "fix" },
  { name: "nobody", pattern: /\bnobody\b/i, say: "the passive, or the name of the caller" },
  { name: "whoever", pattern: /\bwho(?:m|so)?ever\b/i, say: "the caller, the reader, anyone who" },
  { name: "somebody", pattern: /\b(?:any|some)body\b/i, say: "anyone, a caller, a reader" },
  { name: "dear", pattern: /\bdear(?:er|est)?\b/i, say: "expensive, costly" },
  { name: "wont", pattern: /\bwont\b/i, say: "usually" },
  { name: "animal", pattern: /\banimals?\b/i, say: "pet" },
  { name: "look at", pattern: /\blook(?:s|ed|ing)? at\b/i, say: "check, validate, read, consider" },
  { name: "hold to", pattern: /\b(?:holds?|held|holding)(?: \w+)? to\b/i, say: "enforce" },
  { name: "trial", pattern: /\btrials?\b/i, say: "run" },
  { name: "test draft", pattern: /\bdrafts\b/i, say: "test cases" },
  { name: "schema book", pattern: /\bschema books?\b/i, say: "schema registry" },
  { name: "known things", pattern: /\bknown things?\b/i, say: "created resources" },
  {
    name: "is no",
    pattern: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|\d)/i,
    say: "is not, is invalid",
  },
  { name: "that there is not", pattern: /\bthat there (?:is|are) not\b/i, say: "unknown, missing" },
  { name: "none that", pattern: /\bnone that\b|\b(?:is|are) none of\b/i, say: "not one of; unknown" },
  { name: "last day", pattern: /\blast day\b/i, say: "sunset date" },
  {
    name: "the two part",
    pattern: /\bthe two part\b|\bparts from its\b/i,
    say: "mismatch, violation, deviates",
  },
  { name: "in vain", pattern: /\bin vain\b/i, say: "never receives it" },
  { name: "one of so many", pattern: /\bof so many\b/i, say: "one in N" },
  { name: "all the same", pattern: /\ball the same\b/i, say: "anyway, still" },
  { name: "have a say", pattern: /\b(?:has|have) a say\b/i, say: "(delete the sentence)" },
  { name: "want", pattern: /; want\b|\bwhat was wanted\b/i, say: "expected" },
  { name: "no credential", pattern: /\bno credential was sent\b/i, say: "missing credentials" },
  {
    name: "comment without a noun",
    pattern: /(?:\/\*\*|^\s*\*|\/\/) (?:What|Whether|Of|That|Where|By)\b/,
    say: "start with a noun (types, values) or a verb (functions)",
  },
];

/** Right uses of such a word: how often a file may contain it, and why. */
const ALLOWED: readonly {
  readonly file: string;
  readonly name: string;
  readonly count: number;
  readonly reason: string;
}[] = [
  { file: "openapi/v1.yaml", name: "animal", count: 13, reason: "wording of the source document" },
  {
    file: "src/cli/verify/result.ts",
    name: "answer",
    count: 1,
    reason: "answer is a member of the JSON output",
  },
  {
    file: "src/cli/verify/run/failures.ts",
    name: "answer",
    count: 1,
    reason: "answer is a member of the JSON output",
  },
  {
    file: "src/cli/verify/report.ts",
    name: "answer",
    count: 3,
    reason: "answer is a member of the JSON output",
  },
  {
    file: "src/cli/verify/checks/finding.ts",
    name: "answer",
    count: 1,
    reason: "no-answer is the code of a check",
  },
  { file: "src/cli/verify/run/run.ts", name: "answer", count: 1, reason: "no-answer is the code of a check" },
  {
    file: "src/cli/diff/diff-contracts.ts",
    name: "judge",
    count: 2,
    reason: "notJudged is a member of the JSON output",
  },
  {
    file: "src/cli/diff/report/summary.ts",
    name: "judge",
    count: 1,
    reason: "notJudged is a member of the JSON output",
  },
  {
    file: "src/cli/schemas/diff.schema.json",
    name: "judge",
    count: 2,
    reason: "notJudged is a member of the JSON output",
  },
  {
    file: "src/tenon/runtime/routing/observe.ts",
    name: "answer",
    count: 2,
    reason: "answered is a member of a public interface",
  },
  {
    file: "src/tenon/runtime/routing/run-operation.ts",
    name: "answer",
    count: 1,
    reason: "answered is a member of a public interface",
  },
  {
    file: "src/petstore/metrics/service-metrics.ts",
    name: "answer",
    count: 1,
    reason: "answered is a member of a public interface",
  },
  { file: "src/petstore/README.md", name: "fault", count: 1, reason: "link to test/faults" },
];

interface Found {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly say: string;
}

function listFiles(path: string): readonly string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" })
    .map((name) => `${path}/${name}`)
    .filter((name) => !/\/(?:node_modules|dist|generated)\//.test(`${name}/`))
    .filter((name) => /\.(?:ts|js|mjs|css|html|svg|json|ya?ml|md)$/.test(name));
}

/** Lines of a file. In pages, code is left empty, in blocks and in sentences: it quotes sources, which are checked themselves. */
function readLines(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const prose = file.endsWith(".md")
    ? text.replace(/^( *)(`{3,})[^]*?^\1\2$|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, ""))
    : text;
  return prose.split("\n");
}

/** Splits `camelCase` and `UPPER_CASE` names, also in paths, into words. */
const splitNames = (text: string): string => text.replace(/(?<=[a-z0-9])(?=[A-Z])|_/g, " ");

function findIn(text: string): readonly (typeof IDIOMS)[number][] {
  const words = splitNames(text);
  return IDIOMS.filter(({ pattern }) => pattern.test(words));
}

/** Finds idioms in the name of a file (line 0) and in its lines. */
function findIdioms(file: string): readonly Found[] {
  return [file.replace(/.*\//, ""), ...readLines(file)].flatMap((text, line) =>
    findIn(text).map(({ name, say }) => ({ file, line, name, say })),
  );
}

const isSame = (a: Pick<Found, "file" | "name">) => (b: Pick<Found, "file" | "name">) =>
  a.file === b.file && a.name === b.name;

describe("texts and names are plain English", () => {
  const files = CHECKED.flatMap(listFiles);

  test("no word to avoid is used, except those on the list", () => {
    const found = files.flatMap(findIdioms);
    const excess = found.filter((one) => {
      const allowed = ALLOWED.find(isSame(one))?.count ?? 0;
      return found.filter(isSame(one)).length > allowed;
    });
    expect(excess.map(({ file, line, name, say }) => `${file}:${line}  "${name}": say ${say}`)).toStrictEqual(
      [],
    );
  });

  test("the list has at most 100 uses, each in a file that exists and with a reason", () => {
    expect(ALLOWED.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(100);
    expect(ALLOWED.filter(({ reason }) => reason === "")).toStrictEqual([]);
    const names = IDIOMS.map(({ name }) => name);
    expect(ALLOWED.filter(({ file, name }) => !files.includes(file) || !names.includes(name))).toStrictEqual(
      [],
    );
  });
});

test.each([
  ["tells where the two part", ["tell", "the two part"]],
  ["const tellProblems = 1", ["tell"]],
  ["MOST_FAULTS", ["fault"]],
  ["fault injection, by default", []],
  ["a value is no integer; there is no file, and it is no longer here", ["is no"]],
  ["  /** Whether it is valid. */", ["comment without a noun"]],
  ["An answer that nobody wants", ["answer", "nobody"]],
])("finds idioms in %j", (text, names) => {
  expect(findIn(text).map(({ name }) => name)).toStrictEqual(names);
});
