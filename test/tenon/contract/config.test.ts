import { describe, expect, test } from "@jest/globals";
import { loadApis } from "../../../src/tenon/contract/config.js";
import { createProject } from "./project.js";

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
