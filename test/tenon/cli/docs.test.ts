import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createDocsSite, type DocumentedContract } from "../../../src/tenon/docs/index.js";
import { writeDocsSites } from "../../../src/tenon/cli/docs.js";
import { createProject } from "../contract/project.js";

const CONTRACT = { openapi: "3.1.0", info: { title: "Pets", version: "1.2.3" }, paths: {} };

async function write(cwd: string): Promise<string> {
  let printed = "";
  await writeDocsSites({ cwd, stdout: { write: (text) => (printed += text) } });
  return printed;
}

describe("npm run docs", () => {
  test("writes the site of every API, and prints where", async () => {
    const other: DocumentedContract = { ...CONTRACT, info: { title: "Orders", version: "2.0.0" } };
    const cwd = createProject({
      "redocly.yaml":
        "apis:\n  v1: { root: a.yaml, x-tenon: { output: a } }\n  v2: { root: b.yaml, x-tenon: { output: b } }\n",
      "a/contract.json": JSON.stringify(CONTRACT),
      "b/contract.json": JSON.stringify(other),
    });
    expect(await write(cwd)).toBe(
      `docs of v1  ${join("dist", "docs-site", "v1", "index.html")}\n` +
        `docs of v2  ${join("dist", "docs-site", "v2", "index.html")}\n`,
    );
    for (const [name, contract] of [
      ["v1", CONTRACT],
      ["v2", other],
    ] as const) {
      const folder = join(cwd, "dist", "docs-site", name);
      const files = createDocsSite(contract);
      expect(readdirSync(folder).sort()).toEqual(files.map((file) => file.name).sort());
      for (const file of files) expect(readFileSync(join(folder, file.name), "utf8")).toBe(file.text);
    }
  });

  test("takes the changelog that is beside a contract, and nothing that is none", async () => {
    const changelog = { title: "Pets", versions: [], unreadable: [] };
    const files = { "generated/contract.json": JSON.stringify(CONTRACT) };
    const cwd = createProject({ ...files, "generated/changelog.json": JSON.stringify(changelog) });
    await write(cwd);
    const page = readFileSync(join(cwd, "dist/docs-site/v1/changelog.html"), "utf8");
    expect(page).toContain("<h1>Changelog of Pets</h1>");
    for (const text of ["", "null", "[]", '{"versions":1}']) {
      const wrong = write(createProject({ ...files, "generated/changelog.json": text }));
      await expect(wrong).rejects.toThrow(/changelog\.json is no changelog/);
    }
  });

  test("says what to do when there is no generated contract", async () => {
    await expect(write(createProject({}))).rejects.toThrow(/contract\.json: generate it first/);
  });
});
