// @thorough: reads contracts that grow without end.
import { type Document, makeDocumentFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "@jest/globals";
import {
  assertComposable,
  assertExpandable,
  MAX_COMPOSED,
  MAX_MEMBERS,
  MAX_REPEATED,
  MAX_REPEATED_TEXT,
} from "../../../src/cli/load/expansion.js";
import { ContractError } from "../../../src/tenon/core/document/contract-error.js";
import { runIn } from "../commands/run.js";
import { createProject, toContract } from "./project.js";

test("a chain of ten thousand references is refused, at a place", async () => {
  const schemas = Array.from(
    { length: 10_000 },
    (_, index) => `    S${index}: { $ref: "#/components/schemas/S${index + 1}" }\n`,
  );
  const folder = createProject({
    "openapi.yaml": toContract(
      `paths: {}\ncomponents:\n  schemas:\n${schemas.join("")}    S10000: { type: string }\n`,
    ),
  });
  const { exitCode, stdout } = await runIn(folder, "lint");
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^openapi\.yaml:\d+:\d+ {2}expansion-limit {2}error: .* 500 references/);
});

/** Schemas that each refer to the next one twice. */
function toDoubling(count: number, compose: (reference: string) => string): string {
  const schemas = Array.from({ length: count }, (_, index) => {
    const reference = `{ $ref: "#/components/schemas/S${index + 1}" }`;
    return `    S${index}: ${compose(reference)}\n`;
  });
  return toContract(
    `paths: {}\ncomponents:\n  schemas:\n${schemas.join("")}    S${count}: { type: string }\n`,
  );
}

const COMPOSITIONS: Readonly<Record<string, (reference: string) => string>> = {
  allOf: (reference) => `{ allOf: [${reference}, ${reference}] }`,
  oneOf: (reference) => `{ oneOf: [${reference}, ${reference}] }`,
  anyOf: (reference) => `{ anyOf: [${reference}, { allOf: [${reference}] }] }`,
  not: (reference) => `{ not: ${reference}, if: ${reference}, then: ${reference} }`,
};

const toAliases = (count: number) =>
  toContract(
    `paths: {}\nx-a0: &a0 [[], []]\n${Array.from({ length: count }, (_, i) => `x-a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join("")}`,
  );

const LETTERS = 10_000;

/** Aliases of a value that has no objects, by its kind; each adds about as many characters. */
const SCALARS: Readonly<Record<string, { readonly anchor: string; readonly added: number }>> = {
  "a long text": { anchor: "a".repeat(LETTERS), added: LETTERS },
  "a list of texts": { anchor: `[${"aaaa,".repeat(LETTERS / 5)}]`, added: LETTERS },
  "a list of numbers": { anchor: `[${"1,".repeat(LETTERS)}]`, added: LETTERS },
  "an object with a long name": { anchor: `{ ${"a".repeat(LETTERS)}: }`, added: LETTERS },
};

const toScalarAliases = (name: string, times: number) => {
  const { anchor = "", added = 1 } = SCALARS[name] ?? {};
  const count = Math.ceil((times * MAX_REPEATED_TEXT) / added);
  return toContract(`paths: {}\nx-anchor: &a ${anchor}\nx-list:\n${"  - *a\n".repeat(count)}`);
};

describe("a contract that would become too large is an error at its line, in every command", () => {
  test.each(Object.keys(COMPOSITIONS))("%s", async (name) => {
    const compose = COMPOSITIONS[name] ?? String;
    for (const command of ["lint", "generate", "docs", "mock --port 0", "diff openapi.yaml --api v1"]) {
      const folder = createProject({ "openapi.yaml": toDoubling(28, compose) });
      const { exitCode, stdout, stderr } = await runIn(folder, ...command.split(" "));
      expect(stdout + stderr).toMatch(/^openapi\.yaml:\d\d:\d+ {2}(error {2})?expansion-limit/m);
      expect(exitCode).toBe(1);
    }
  });

  test("YAML aliases, also in a file that is referred to", async () => {
    const folder = createProject({
      "openapi.yaml": toContract("paths:\n  /a: { $ref: a.yaml }\n"),
      "a.yaml": toAliases(28),
    });
    const { exitCode, stdout } = await runIn(folder, "lint");
    expect(stdout).toMatch(/^a\.yaml:\d\d:\d+ {2}expansion-limit/m);
    expect(exitCode).toBe(1);
  });

  test.each(Object.keys(SCALARS))("YAML aliases of %s", async (name) => {
    const folder = createProject({ "openapi.yaml": toScalarAliases(name, 1.1) });
    const { exitCode, stdout } = await runIn(folder, "lint");
    expect(stdout).toMatch(/^openapi\.yaml:\d{3,}:\d+ {2}expansion-limit/m);
    expect(exitCode).toBe(1);
  });

  test("YAML aliases of several files", async () => {
    const names = Array.from({ length: 11 }, (_, index) => `${index}.yaml`);
    const paths = names.map((name) => `  /${name}: { $ref: ${name} }\n`).join("");
    const folder = createProject({
      "openapi.yaml": toContract(`paths:\n${paths}`),
      ...Object.fromEntries(names.map((name) => [name, toScalarAliases("a long text", 0.1)])),
    });
    expect((await runIn(folder, "lint")).stdout).toMatch(/^\d+\.yaml:\d+:\d+ {2}expansion-limit/m);
  });

  test("a chain of properties that is deeper than the stack of other tools", async () => {
    const contract = toDoubling(5_000, (reference) => `{ properties: { a: ${reference} } }`).replace(
      "paths: {}",
      `paths:\n  /a: { get: { responses: { "200": { description: A., content: { application/json: { schema: { $ref: "#/components/schemas/S0" } } } } } } }`,
    );
    const folder = createProject({ "openapi.yaml": contract });
    for (const command of ["lint", "generate", "mock --port 0"]) {
      const { exitCode, stdout, stderr } = await runIn(folder, ...command.split(" "));
      expect(stdout + stderr).toMatch(/^openapi\.yaml:1:1 {2}(error {2})?expansion-limit/m);
      expect(exitCode).toBe(1);
    }
  });

  test("an object with more members than other tools can read", async () => {
    const members = Array.from({ length: MAX_MEMBERS + 60_000 }, (_, index) => `  k${index}: v\n`);
    const folder = createProject({ "openapi.yaml": toContract(`paths: {}\nx-wide:\n${members.join("")}`) });
    const { exitCode, stderr } = await runIn(folder, "generate");
    expect(stderr).toMatch(
      /^openapi\.yaml:1:1 {2}expansion-limit {2}error: The object at #\/x-wide has 160000 members; at most 100000 can be read$/m,
    );
    expect(exitCode).toBe(1);
  });

  test("a chain of schemas that is deeper than the stack of other tools", async () => {
    const folder = createProject({
      "openapi.yaml": toDoubling(2_000, (reference) => `{ allOf: [${reference}] }`),
    });
    expect((await runIn(folder, "lint")).stdout).toContain("expansion-limit");
  });
});

/** Counts how often the members of a document's objects are listed. */
function countSteps(document: Document, run: (document: Document) => void): number {
  let steps = 0;
  const count = <Value>(value: Value, proxies = new Map<unknown, unknown>()): Value => {
    if (typeof value !== "object" || value === null) return value;
    const known = proxies.get(value);
    if (known !== undefined) return known as Value;
    const proxy = new Proxy(value, {
      ownKeys: (target) => (steps++, Reflect.ownKeys(target)),
      get: (target, key) => (steps++, Reflect.get(target, key) as unknown),
    });
    proxies.set(value, proxy);
    for (const [key, child] of Object.entries(value)) Reflect.set(value, key, count(child, proxies));
    return proxy;
  };
  const counted = { ...document, parsed: count(document.parsed) };
  try {
    run(counted);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
  }
  return steps;
}

describe("the limit itself takes a number of steps that grows with the text", () => {
  test.each(Object.keys(COMPOSITIONS))("%s", (name) => {
    const measure = (count: number) =>
      countSteps(
        makeDocumentFromString(toDoubling(count, COMPOSITIONS[name] ?? String), "/a.yaml"),
        (document) => {
          assertComposable([document], () => undefined);
        },
      );
    expect(measure(24)).toBeLessThan(3 * measure(12));
  });

  test("aliases", () => {
    const measure = (count: number) =>
      countSteps(makeDocumentFromString(toAliases(count), "/a.yaml"), (document) => {
        assertExpandable(document);
      });
    expect(measure(24)).toBeLessThan(3 * measure(12));
  });

  test("aliases of lists of texts", () => {
    const measure = (count: number) =>
      countSteps(
        makeDocumentFromString(toAliases(count).replace("[[], []]", `[${"a,".repeat(50)}]`), "/a.yaml"),
        (document) => {
          assertExpandable(document);
        },
      );
    expect(measure(24)).toBeLessThan(3 * measure(12));
  });
});

test("contracts below the limits are read", async () => {
  const composed = Math.floor(Math.log2(MAX_COMPOSED)) - 3;
  const folder = createProject({
    "openapi.yaml": toDoubling(composed, (reference) => `{ allOf: [${reference}, ${reference}] }`),
  });
  expect(await runIn(folder, "lint")).toMatchObject({ exitCode: 0 });
  const aliases = Math.floor(Math.log2(MAX_REPEATED)) - 3;
  expect(await runIn(createProject({ "openapi.yaml": toAliases(aliases) }), "lint")).toMatchObject({
    exitCode: 0,
  });
  for (const name of Object.keys(SCALARS))
    expect(await runIn(createProject({ "openapi.yaml": toScalarAliases(name, 0.1) }), "lint")).toMatchObject({
      exitCode: 0,
    });
});
