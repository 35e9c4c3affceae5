import { describe, expect, test } from "@jest/globals";
import { escapeMarkdown, escapeMarkup, escapeXml } from "../../src/cli/output/markup.js";
import { toVisible } from "../../src/cli/output/visible.js";
import { runIn } from "../cli/commands/run.js";
import { createProject, toContract } from "../cli/load/project.js";

const HOSTILE = String.fromCodePoint(0x9b, 0x202e, 0x2066, 0x200f, 0x2028, 0x7f, 0xd800);
const SHOWN = "\\u009b\\u202e\\u2066\\u200f\\u2028\\u007f\\ud800";

// eslint-disable-next-line no-control-regex -- the characters that must not be printed
const INTERPRETED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

test("control and bidirectional characters are escaped, and other text stays", () => {
  expect(toVisible(HOSTILE)).toBe(SHOWN);
  expect(toVisible("Ünïcödé 日本語 עברית 👩\u200d🚀\n")).toBe("Ünïcödé 日本語 עברית 👩\u200d🚀 ");
  expect(escapeMarkup(`a\n${HOSTILE}`)).toBe(`a\n${SHOWN}`);
  for (const escape of [escapeMarkdown, escapeXml]) expect(escape(HOSTILE)).not.toMatch(INTERPRETED);
});

describe("no output of a hostile contract has such a character", () => {
  const name = `p${JSON.stringify(HOSTILE.slice(0, 6)).slice(1, -1)}\\u009b31m\\u202e\\e[31m`;
  const toPets = (type: string) =>
    toContract(
      `paths:\n  /a:\n    get:\n      operationId: a\n      parameters: [{ name: "${name}", in: query, schema: { type: ${type} } }]\n      responses: { "204": { description: Done. } }\n`,
    );
  const folder = createProject({ "a.yaml": toPets("string"), "b.yaml": toPets("integer") });

  test.each(["text", "markdown", "html", "github", "junit"])("diff --format %s", async (format) => {
    const { stdout, stderr } = await runIn(folder, "diff", "a.yaml", "b.yaml", "--format", format);
    expect(stdout).toContain("31m");
    expect(stdout + stderr).not.toMatch(INTERPRETED);
  });

  test("lint", async () => {
    const broken = createProject({ "openapi.yaml": toContract(`paths: {}\n"${name}": 1\n`) });
    const { stdout } = await runIn(broken, "lint");
    expect(stdout).toContain("31m");
    expect(stdout).not.toMatch(INTERPRETED);
  });
});
