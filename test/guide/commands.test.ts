import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { runIn } from "../cli/commands/run.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const guide = readdirSync(join(ROOT, "src/cli/guide"), { recursive: true, encoding: "utf8" });
const pages = [
  "README.md",
  "src/cli/recipes/README.md",
  ...guide.filter((path) => path.endsWith(".md")).map((path) => `src/cli/guide/${path}`),
];

/** `tenon diff main --json` in a page: the command and its options. */
function findUses(page: string): { command: string; options: string[] }[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/\btenon ([a-z]+)\b([^`\n]*)/g)]
    .filter(([use]) => text.includes(`\`${use}`) || text.includes(`npx ${use}`))
    .map(([, command = "", rest = ""]) => ({
      command,
      // What follows `--` belongs to another command.
      options: (rest.split(" -- ")[0] ?? "").match(/(?<= )--[a-z-]+/g) ?? [],
    }));
}

describe("commands that a page names are there, with their options:", () => {
  test.each(pages)("%s", async (page) => {
    for (const { command, options } of findUses(page)) {
      const { exitCode, stdout } = await runIn(tmpdir(), command, "--help");
      expect({ command, exitCode }).toEqual({ command, exitCode: 0 });
      expect({ command, unknown: options.filter((option) => !stdout.includes(option)) }).toEqual({
        command,
        unknown: [],
      });
    }
  });
});
