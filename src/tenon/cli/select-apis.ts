import { type ApiConfig, loadApis } from "../contract/config.js";
import { UsageError } from "./context.js";

/**
 * The APIs of redocly.yaml that a command is about: those named, or all.
 * @throws {UsageError} when one is not there.
 * @throws {ContractError} when redocly.yaml cannot be used.
 */
export async function selectApis(names: readonly string[], cwd: string): Promise<readonly ApiConfig[]> {
  return chooseApis(await loadApis(cwd), names);
}

/** The same of APIs that are loaded already. */
export function chooseApis(apis: readonly ApiConfig[], names: readonly string[]): readonly ApiConfig[] {
  const unknown = names.find((name) => !apis.some((api) => api.name === name));
  if (unknown !== undefined) {
    const known = apis.map(({ name }) => name).join(", ");
    throw new UsageError(`Unknown API "${unknown}": redocly.yaml has an output for ${known}.`);
  }
  return apis.filter(({ name }) => names.length === 0 || names.includes(name));
}
