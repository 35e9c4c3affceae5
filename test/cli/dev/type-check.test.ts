import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createTypeCheck } from "../../../src/cli/dev/type-check.js";
import { createProject } from "../load/project.js";

test("a module that was missing is found once it is installed", () => {
  const cwd = createProject({
    "tsconfig.json": JSON.stringify({
      compilerOptions: { module: "NodeNext", target: "ES2023", strict: true, types: [] },
      include: ["src"],
    }),
    "src/a.ts": 'import { b } from "b";\nexport const a: number = b;\n',
  });
  const check = createTypeCheck(join(cwd, "tsconfig.json"), { cwd, isGenerated: () => false });
  expect(check.run().map(({ text }) => text)).toEqual([expect.stringMatching(/^src\/a\.ts:1:19 {2}TS2307 /)]);
  mkdirSync(join(cwd, "node_modules/b"), { recursive: true });
  writeFileSync(join(cwd, "node_modules/b/package.json"), '{ "name": "b", "types": "index.d.ts" }');
  writeFileSync(join(cwd, "node_modules/b/index.d.ts"), "export const b: string;\n");
  expect(check.run().map(({ text }) => text)).toEqual([expect.stringMatching(/^src\/a\.ts:2:14 {2}TS2322 /)]);
});
