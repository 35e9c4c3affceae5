import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "@jest/globals";

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

export const REDOCLY = `apis:
  v1:
    root: openapi.yaml
    x-tenon: { output: generated }
rules:
  struct: error
`;

/** Creates a project in a temporary folder, removed after the test file. `redocly.yaml` is {@link REDOCLY} unless given. */
export function createProject(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-")));
  folders.push(folder);
  for (const [name, text] of Object.entries({ "redocly.yaml": REDOCLY, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A contract that is fine, with `paths` and more below its head, which is four lines. */
export function toContract(below: string): string {
  return `openapi: 3.1.0\ninfo:\n  title: Test\n  version: 1.0.0\n${below}`;
}
