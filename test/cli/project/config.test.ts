import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { loadApis, loadNamedApis } from "../../../src/cli/project/index.js";
import { ContractError } from "../../../src/tenon/core/document/contract-error.js";
import { createDirectory } from "../../support/directory.js";
import { createProject } from "../load/project.js";

const BODIES = {
  a: "root: a.yaml\n    x-tenon: { output: generated/a }",
  b: "root: b.yaml\n    x-tenon: { output: generated/b }",
};

function toRedocly(apis: Readonly<Record<string, string>>): string {
  return `apis:\n${Object.entries(apis)
    .map(([name, body]) => `  ${name}:\n    ${body}\n`)
    .join("")}`;
}

describe("loadApis", () => {
  test("finds every API with an output, in order, and leaves out the others", async () => {
    const folder = createProject({ "redocly.yaml": toRedocly({ ...BODIES, c: "root: c.yaml" }) });
    expect(await loadApis(folder)).toMatchObject([
      { name: "a", root: `${folder}/a.yaml`, output: `${folder}/generated/a` },
      { name: "b", root: `${folder}/b.yaml`, output: `${folder}/generated/b` },
    ]);
  });

  test("finds where handlers are and what starts the service, when they are told", async () => {
    const redocly = toRedocly({
      a: BODIES.a,
      b: "root: b.yaml\n    x-tenon: { output: b, handlers: src/handlers, main: src/main.ts }",
    });
    const folder = createProject({ "redocly.yaml": redocly });
    expect(await loadApis(folder)).toMatchObject([
      { handlers: undefined, main: undefined },
      { handlers: `${folder}/src/handlers`, main: `${folder}/src/main.ts` },
    ]);
  });

  test.each([
    ["the project's own folder", "."],
    ["a folder outside", "../x"],
    ["nothing", "[]"],
  ])("refuses %s as output", async (_, output) => {
    const redocly = toRedocly({ a: `root: a.yaml\n    x-tenon: { output: ${output} }` });
    await expect(loadApis(createProject({ "redocly.yaml": redocly }))).rejects.toMatchObject({
      problems: [{ code: "api-output", line: 4, column: 16 }],
    });
  });

  test.each([
    ["api-output", "generated", "generated"],
    ["api-output", "generated", "generated/docs"],
    ["api-handlers", "src/handlers", "src"],
  ])("refuses a link out of the project: %s %s, by %s", async (code, name, link) => {
    const member = code === "api-output" ? `output: ${name}` : `output: g, handlers: ${name}`;
    const folder = createProject({
      "redocly.yaml": toRedocly({ a: `root: a.yaml\n    x-tenon: { ${member} }` }),
    });
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(createDirectory(), join(folder, link));
    const problem = { code, line: 4, message: expect.stringContaining("symbolic link") };
    await expect(loadApis(folder)).rejects.toMatchObject({ problems: [problem] });
    if (code === "api-output")
      await expect(loadNamedApis(folder)).rejects.toMatchObject({ problems: [problem] });
  });

  test("accepts links within the project, and a project that is a link itself", async () => {
    const folder = createProject({ "redocly.yaml": toRedocly({ a: BODIES.a }) });
    mkdirSync(join(folder, "built"));
    symlinkSync("built", join(folder, "generated"));
    const link = join(createDirectory(), "project");
    symlinkSync(folder, link);
    expect(await loadApis(link)).toMatchObject([{ output: `${link}/generated/a` }]);
  });

  test("refuses one folder of handlers for two APIs", async () => {
    const redocly = toRedocly({
      a: "root: a.yaml\n    x-tenon: { output: a, handlers: src }",
      b: "root: b.yaml\n    x-tenon: { output: b, handlers: src }",
    });
    await expect(loadApis(createProject({ "redocly.yaml": redocly }))).rejects.toMatchObject({
      problems: [{ code: "api-handlers", line: 7, column: 27 }],
    });
  });

  test("refuses one output for two APIs", async () => {
    const redocly = toRedocly({ a: BODIES.a, b: BODIES.a });
    await expect(loadApis(createProject({ "redocly.yaml": redocly }))).rejects.toMatchObject({
      problems: [{ code: "api-output", line: 7 }],
    });
  });

  test.each([
    ["generated", "generated/b"],
    ["generated/a", "generated"],
  ])("refuses an output within another: %s and %s", async (first, second) => {
    const redocly = toRedocly({
      a: `root: a.yaml\n    x-tenon: { output: ${first} }`,
      b: `root: b.yaml\n    x-tenon: { output: ${second} }`,
    });
    await expect(loadApis(createProject({ "redocly.yaml": redocly }))).rejects.toMatchObject({
      problems: [{ code: "api-output", line: 7 }],
    });
  });

  test("refuses the contract's folder as output", async () => {
    const redocly = toRedocly({ a: "root: openapi/a.yaml\n    x-tenon: { output: openapi }" });
    await expect(loadApis(createProject({ "redocly.yaml": redocly }))).rejects.toMatchObject({
      problems: [{ code: "api-output", line: 4 }],
    });
  });
});

/** Problems of a redocly.yaml as `line:column code message hint`. */
async function findProblems(redocly: string): Promise<readonly string[]> {
  const folder = createProject({ "redocly.yaml": redocly });
  try {
    await loadApis(folder);
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map(({ line, column, code, message, hint }) =>
      [`${line}:${column}`, code, message, ...(hint === undefined ? [] : [hint])].join(" | "),
    );
  }
}

test("loadApis: aliases that repeat too much are refused before anything copies them", async () => {
  const lists = "bcdefghi".split("").map((name, index) => `  - &${name} [${"*abcdefgh"[index + 1] ?? ""}]`);
  const bomb = lists.map((line) =>
    line.replace(/\[(.)\]/, (_, name: string) => `[${Array(9).fill(`*${name}`).join()}]`),
  );
  const problems = await findProblems(`x:\n  - &a [1]\n${bomb.join("\n")}\n${toRedocly({ a: BODIES.a })}`);
  expect(problems).toEqual([expect.stringContaining("expansion-limit | The YAML aliases repeat")]);
});

test.each(["a\0b", "a".repeat(300)])("loadNamedApis: a logo at %j is missing", async (logo) => {
  const settings = `x-tenon: { docs: { logo: ${JSON.stringify(logo)} } }`;
  const folder = createProject({ "redocly.yaml": toRedocly({ a: `root: a.yaml\n    ${settings}` }) });
  await expect(loadNamedApis(folder)).rejects.toMatchObject({ problems: [{ code: "api-docs", line: 4 }] });
});

const toRules = (rules: string) => `${toRedocly({ a: BODIES.a })}rules:\n  ${rules}\n`;

describe("loadApis: what nobody would read is told", () => {
  test.each([
    [
      "a misspelt member of x-tenon",
      toRedocly({ a: "root: a.yaml\n    x-tenon: { output: g, handler: src/h, splt: true, zzz: 1 }" }),
      [
        '4:27 | config-unknown | x-tenon has an unknown member "handler" | Did you mean handlers?',
        '4:43 | config-unknown | x-tenon has an unknown member "splt" | Did you mean split?',
        '4:55 | config-unknown | x-tenon has an unknown member "zzz"',
      ],
    ],
    [
      "a text as x-tenon",
      toRedocly({ a: "root: a.yaml\n    x-tenon: generated" }),
      ["4:5 | api-output | x-tenon must be an object, for example { output: generated/a }"],
    ],
    [
      "no root",
      toRedocly({ a: "x-tenon: { output: g }" }),
      ["2:3 | config-invalid | The field `root` must be present on this level."],
    ],
    [
      "a misspelt key",
      `${toRedocly({ a: BODIES.a })}extend: [minimal]\n`,
      ["5:1 | config-unknown | Property `extend` is not expected here. | Did you mean extends?"],
    ],
    [
      "a misspelt rule of Redocly's",
      toRules("strct: error"),
      ['6:3 | config-unknown | Unknown rule "strct" | Did you mean struct?'],
    ],
    [
      "a misspelt rule of ours",
      toRules("tenon/error-bdy: error"),
      ['6:3 | config-unknown | Unknown rule "tenon/error-bdy" | Did you mean tenon/error-body?'],
    ],
    [
      "a rule of a plugin that is not there",
      toRules("other/rule: error"),
      ['6:3 | config-unknown | Unknown rule "other/rule"'],
    ],
    [
      "a rule of one API",
      toRedocly({ a: `${BODIES.a}\n    rules: { info-licence: error }` }),
      ['5:14 | config-unknown | Unknown rule "info-licence" | Did you mean info-license?'],
    ],
    [
      "an option that a rule does not have",
      toRules("tenon/error-body: { severity: error, shema: Error }"),
      ['6:40 | config-unknown | Rule tenon/error-body has an unknown option "shema" | Did you mean schema?'],
    ],
    [
      "a severity that there is not",
      toRules("info-license: eror"),
      [
        '6:17 | config-invalid | `info-license` can be one of the following only: "error", "warn", "off". | Did you mean error?',
      ],
    ],
    [
      "a required rule that is off",
      toRules("struct: { severity: off }"),
      [
        "6:3 | rule-required | Rule struct is always an error, because a contract that breaks it cannot be served; found off | Remove the line",
      ],
    ],
    [
      "a list",
      "- apis\n",
      ["1:1 | config-invalid | Cannot use redocly.yaml: It must be an object with `apis`"],
    ],
    ["nothing", "", ["1:1 | config-invalid | Cannot use redocly.yaml: It must be an object with `apis`"]],
  ])("%s", async (_, redocly, want) => {
    expect(await findProblems(redocly)).toEqual(want);
  });

  test.each([
    ["keys of other tools", `${toRedocly({ a: BODIES.a })}theme: { openapi: {} }\nx-mine: 1\n`],
    ["our rules without their plugin", toRules("tenon/error-body: error")],
    ["assertions", toRules("rule/x: { subject: { type: Info }, assertions: { defined: true } }")],
    ["required rules as errors", toRules("struct: error")],
  ])("%s are fine", async (_, redocly) => {
    expect(await findProblems(redocly)).toEqual([]);
  });

  test("a folder without redocly.yaml is told how to get one", async () => {
    await expect(loadApis(createDirectory())).rejects.toMatchObject({
      problems: [{ code: "config-missing", hint: expect.stringContaining("tenon init") }],
    });
  });
});
