import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { expect, test } from "@jest/globals";
import { build } from "esbuild";

const FIXTURE = fileURLToPath(new URL("../../fixtures/everyday/generated/", import.meta.url));

/** Bundles a module for any platform. A built-in module of Node.js would be an error. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: FIXTURE, loader: "ts" },
    ...{
      bundle: true,
      minify: true,
      write: false,
      platform: "neutral",
      format: "iife",
      globalName: "bundled",
    },
    conditions: ["tenon-source"],
  });
  return outputFiles[0]?.text ?? "";
}

/** Evaluates an expression beside a bundle, without anything but JavaScript, and with code generation from strings switched off. */
function run(code: string, expression: string): unknown {
  const context = vm.createContext({}, { codeGeneration: { strings: false, wasm: false } });
  expect(() => void vm.runInContext("new Function('return 1')", context)).toThrow(
    "Code generation from strings",
  );
  return JSON.parse(vm.runInContext(`${code}; JSON.stringify(${expression})`, context) as string);
}

test("validators need no platform, and no code generation from strings", async () => {
  const code = await bundle(`export * from "./schemas.js";`);
  const order = `{ id: "8e03978e-40d5-43e8-bc93-6894a57f9324", customer: { name: "Ada" }, lines: [{ sku: "abc-1", count: 1 }] }`;
  expect(run(code, `bundled.addOrderBody["~standard"].validate(${order})`)).toMatchObject({
    value: { urgent: false },
  });
  expect(run(code, `bundled.payBody["~standard"].validate({ card: "1" })`)).toEqual({
    issues: [{ path: ["card"], message: "must not have fewer than 4 characters" }],
  });
});

test("a bundle has the validators, keywords and formats that are used", async () => {
  const all = await bundle(`export * from "./schemas.js";`);
  const one = await bundle(`export { Transfer } from "./schemas.js";`);
  expect(all).toContain('"uuid"');
  for (const unused of ['"uuid"', '"contains"', '"urgent"', '"unevaluatedItems"', '"email"'])
    expect(one).not.toContain(unused);
  expect(await bundle(`import "./schemas.js";`)).toHaveLength((await bundle("")).length);
  expect(one.length).toBeLessThan(9_000);
});
