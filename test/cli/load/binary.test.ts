import { expect, test } from "@jest/globals";
import { runIn } from "../commands/run.js";
import { createProject, REDOCLY, toContract } from "./project.js";

const BINARY = "x-a:\n  - b: !!binary aGVsbG8=\n";
const VERBATIM = BINARY.replace("!!binary", "!<tag:yaml.org,2002:binary>");

test.each([
  ["the contract", { "openapi.yaml": toContract(`paths: {}\n${BINARY}`) }, "openapi.yaml:7:8"],
  [
    "the contract, as a verbatim tag",
    { "openapi.yaml": toContract(`paths: {}\n${VERBATIM}`) },
    "openapi.yaml:7:8",
  ],
  [
    "a file",
    { "openapi.yaml": toContract("paths: { /a: { $ref: a.yaml } }\n"), "a.yaml": BINARY },
    "a.yaml:2:8",
  ],
  [
    "redocly.yaml",
    { "openapi.yaml": toContract("paths: {}\n"), "redocly.yaml": `${BINARY}${REDOCLY}` },
    "redocly.yaml:2:8",
  ],
])("binary YAML is an error at its position: in %s", async (_, files, position) => {
  for (const command of ["lint", "generate"]) {
    const { exitCode, stdout, stderr } = await runIn(createProject(files), command);
    expect(stdout + stderr).toMatch(new RegExp(`^${position}  document-syntax  .*!!binary`, "m"));
    expect(exitCode).toBe(1);
  }
});
