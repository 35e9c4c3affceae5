import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type ApiConfig, loadApis } from "../contract/config.js";
import { UsageError } from "./context.js";

const CONFIG = "redocly.yaml";

/**
 * The APIs of redocly.yaml.
 * @throws {UsageError} when there is no such file, which says where there is one.
 * @throws {ContractError} when it cannot be used.
 */
export async function loadProject(cwd: string): Promise<readonly ApiConfig[]> {
  if (existsSync(join(cwd, CONFIG))) return loadApis(cwd);
  const above = findAbove(dirname(cwd));
  throw new UsageError(
    above === undefined
      ? `There is no ${CONFIG} in this folder, which names the contracts; "init" makes a service that has one.`
      : `There is no ${CONFIG} in this folder; run this in ${relative(cwd, above)}, which has one.`,
  );
}

/**
 * The APIs of redocly.yaml that a command is about: those named, or all.
 * @throws {UsageError} when one is not there.
 * @throws {ContractError} when redocly.yaml cannot be used.
 */
export async function selectApis(names: readonly string[], cwd: string): Promise<readonly ApiConfig[]> {
  return chooseApis(await loadProject(cwd), names);
}

/** The same of APIs that are loaded already. */
export function chooseApis(apis: readonly ApiConfig[], names: readonly string[]): readonly ApiConfig[] {
  const known = apis.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = known.filter((name) => isNear(name.toLowerCase(), unknown.toLowerCase()));
    const hint = near.length > 0 ? `\n(Did you mean ${near.join(" or ")}?)` : "";
    throw new UsageError(
      `Unknown API "${unknown}": redocly.yaml has an output for ${known.join(", ")}.${hint}`,
    );
  }
  return apis.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Whether one text becomes the other by one character more, less or different, or by two that change places. */
function isNear(a: string, b: string): boolean {
  // Between v1 and v2 nobody mistyped.
  if (a.length < 3) return a === b;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const swapped = restA.charAt(1) + restA.charAt(0) + restA.slice(2);
  return [restA.slice(1), swapped].includes(restB) || [restA, restA.slice(1)].includes(restB.slice(1));
}

function findAbove(folder: string): string | undefined {
  if (existsSync(join(folder, CONFIG))) return folder;
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder));
}
