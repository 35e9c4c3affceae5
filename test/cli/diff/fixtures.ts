import { readFileSync } from "node:fs";
import type { Node } from "../../../src/tenon/core/document/index.js";

const NAMES = ["everyday", "keywords", "media-types", "parameters", "petlike", "polymorphic", "shapes"];
const FOLDERS = NAMES.map((name) => `../../fixtures/${name}/generated`);

/** The bundled contracts of the fixtures and of the Pet Store Service, with their names. */
export const CONTRACTS: readonly (readonly [name: string, contract: Node])[] = [
  ["pet store", "../../../generated/v1"] as const,
  ...FOLDERS.map((folder, index) => [NAMES[index] ?? "", folder] as const),
].map(([name, folder]) => [
  name,
  JSON.parse(readFileSync(new URL(`${folder}/contract.json`, import.meta.url), "utf8")) as Node,
]);
