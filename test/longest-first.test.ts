import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "@jest/globals";

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

test("tests start in the order of the seconds in their first lines, and then of their sizes", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-order-"));
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
  rmSync(folder, { recursive: true });
  expect(sorted.map(({ path }) => basename(path))).toEqual(["longer", "long", "large", "quoted", "short"]);
});
