import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "@jest/globals";
import { createContractClient } from "tenon/client";
import { createContractRouter } from "tenon/runtime";
import { GENERATED_VERSION, VERSION } from "../../../src/tenon/core/version/index.js";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const contractUrl = new URL("file:///contract.json");

describe("the version of tenon", () => {
  test("is that of package.json", () => {
    expect((JSON.parse(read("src/tenon/package.json")) as { version: string }).version).toBe(VERSION);
  });

  test("changes generated code only where Semantic Versioning lets a version break it", () => {
    expect(VERSION.startsWith(`${GENERATED_VERSION}.`)).toBe(true);
    expect(GENERATED_VERSION).toMatch(/^(?:0\.\d+|[1-9]\d*)$/);
    for (const file of ["server.ts", "client.ts"])
      expect(read(`generated/v1/${file}`)).toContain(`tenon: "${GENERATED_VERSION}"`);
  });
});

describe("code that another version has generated", () => {
  const message = `Generated code for tenon 7 does not work with tenon ${VERSION}, @tenon/cli is ${VERSION}. Install the same version of tenon and @tenon/cli, then run "npx tenon generate".`;

  test("is refused by the runtime", () => {
    const table = { tenon: "7", basePath: "", operations: [], contractUrl };
    const options = { handlers: {}, errorBody: () => ({}) };
    expect(() => createContractRouter(table, options)).toThrow(message);
  });

  test("is refused by the client", () => {
    const contract = { tenon: "7", securitySchemes: {}, security: [] };
    expect(() => createContractClient(contract, {}, { baseUrl: "https://service.example" })).toThrow(message);
  });

  test("is refused without the version of the command where none is installed", () => {
    const module = new URL("../../../src/tenon/core/version/index.ts", import.meta.url).href;
    const script = `
      const { assertGeneratedVersion } = await import(${JSON.stringify(module)});
      try { assertGeneratedVersion("7") } catch ({ message }) { console.log(message) }`;
    const argv = ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", script];
    const env = { ...process.env, NODE_OPTIONS: "" };
    const printed = execFileSync(process.execPath, argv, { cwd: tmpdir(), env, encoding: "utf8" });
    expect(printed).toBe(`${message.replace(`, @tenon/cli is ${VERSION}`, "")}\n`);
  });
});
