import { execFile } from "node:child_process";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { createDirectory } from "./support/directory.js";
import { makeOnce } from "./support/make-once.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

describe("test files that share a process", () => {
  test("share sources unless they ask for fresh ones, and neither hooks nor changes to the process", async () => {
    const folder = createDirectory();
    const log = join(folder, "log");
    const output = join(folder, "results.json");
    const { jest } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { jest: object };
    const config = { ...jest, rootDir: ROOT, testMatch: ["<rootDir>/test/support/jest/cases/*.case.ts"] };
    const options = [`--config=${JSON.stringify(config)}`, "--maxWorkers=1", `--outputFile=${output}`];
    await new Promise<void>((resolve) => {
      const argv = [join(ROOT, "node_modules/jest/bin/jest.js"), "--json", "--reporters=default", ...options];
      execFile(process.execPath, argv, { env: { ...process.env, CASES: log } }, () => {
        resolve();
      });
    });
    const { testResults } = JSON.parse(readFileSync(output, "utf8")) as Results;
    expect(
      testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status)),
    ).toEqual(Array.from({ length: 3 }, () => ["passed", "failed"]).flat());
    const [, failed] = testResults[0]?.assertionResults ?? [];
    expect(failed?.failureMessages[0]).toContain("test/support/jest/cases/declare.ts:33:18)");
    const lines = readFileSync(log, "utf8").split("\n");
    const sources = Object.fromEntries(
      lines.flatMap((line) => [/^(\w+) has sources (\d)$/.exec(line)?.slice(1)]).filter((found) => !!found),
    ) as Record<string, string>;
    expect(Object.keys(sources).sort()).toEqual(["first", "fresh", "second"]);
    expect(sources["first"]).toBe(sources["second"]);
    expect(sources["first"]).not.toBe(sources["fresh"]);
    expect(lines.filter((line) => line.endsWith(" ended")).sort()).toEqual([
      "first ended",
      "fresh ended",
      "second ended",
    ]);
  });
});

describe("the order of test files", () => {
  interface Test {
    readonly path: string;
    readonly context: object;
  }

  const LongestFirst = createRequire(import.meta.url)("./support/longest-first.cjs") as new (
    options: object,
  ) => {
    sort(tests: readonly Test[]): readonly Test[];
  };

  const FILES = {
    short: "// @slow: waits.\n",
    large: "export const a = 1;\n".repeat(100),
    long: "// @thorough, 300 s: runs every command of the guide.\n",
    longer: '// @slow, 1000 s: waits.\nimport "a";\n',
    quoted: `const line = "// @slow, 2000 s: waits.";\n${" ".repeat(100)}`,
  };

  test("is that of the seconds in their first lines, and then of their sizes", () => {
    const folder = createDirectory();
    const context = {
      config: { cache: false },
      hasteFS: { getSize: (path: string) => FILES[basename(path) as keyof typeof FILES].length },
    };
    const tests = Object.entries(FILES).map(([name, text]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return { path, context };
    });
    const sorted = new LongestFirst({}).sort(tests);
    expect(sorted.map(({ path }) => basename(path))).toEqual(["longer", "long", "large", "quoted", "short"]);
  });
});

describe("a folder that tests share", () => {
  const make = (making: string): void => {
    writeFileSync(join(making, "made"), "");
  };

  test("is made once, and removed when another is made a day later", () => {
    const cache = join(createDirectory(), "cache");
    const [old, recent, made] = ["old", "recent", "made"].map((name) => join(cache, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [old, recent]) makeOnce(folder, make);
    makeOnce(old, () => {
      throw new Error("made twice");
    });
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    utimesSync(old, twoDaysAgo, twoDaysAgo);
    makeOnce(made, make);
    expect([old, recent, made].map((folder) => existsSync(join(folder, "made")))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
