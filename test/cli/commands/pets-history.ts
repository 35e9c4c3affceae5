import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRepository, type Repository } from "./repository.js";

export const OK = '{ "204": { description: Done. } }';
export const LIST = `  /pets:\n    get: { responses: ${OK} }\n`;
export const CREATE = `    post: { responses: ${OK} }\n`;
const CREATE_ENDING = `    post: { deprecated: true, x-sunset: "2026-03-01", responses: ${OK} }\n`;

export const toPets = (version: string, paths: string) =>
  `openapi: 3.1.0\ninfo: { title: Pets, version: ${version} }\npaths:\n${paths}`;

/** Three versions: an operation comes, is deprecated, and goes after its sunset; then another is added and not released. */
export function createHistory(): Repository {
  const repository = createRepository();
  const { commit, git } = repository;
  commit({ "openapi.yaml": toPets("1.0.0", LIST) }, "2026-01-01");
  git("tag", "v1.0.0");
  commit({ "openapi.yaml": toPets("1.1.0", LIST + CREATE_ENDING) }, "2026-02-01");
  git("tag", "v1.1.0");
  commit({ "README.md": "Nothing of the contract.\n" }, "2026-02-02");
  git("tag", "v1.1.1");
  commit({ "openapi.yaml": toPets("2.0.0", LIST) }, "2026-04-01");
  git("tag", "v2.0.0");
  git("tag", "v3.0.0-rc.1");
  git("tag", "nightly");
  writeFileSync(join(repository.folder, "openapi.yaml"), toPets("2.0.0", LIST + CREATE));
  return repository;
}
