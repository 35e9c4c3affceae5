import { type ApiConfig, loadApis } from "../contract/config.js";
import { UsageError } from "./context.js";

/**
 * The APIs of redocly.yaml that a command is about: those named, or all.
 * @throws {UsageError} when one is not there.
 * @throws {ContractError} when redocly.yaml cannot be used.
 */
export async function selectApis(names: readonly string[], cwd: string): Promise<readonly ApiConfig[]> {
  const apis = await loadApis(cwd);
  const unknown = names.find((name) => !apis.some((api) => api.name === name));
  if (unknown !== undefined) {
    if (isDeclared(unknown, apis)) {
      throw new UsageError(
        `API "${unknown}" has no output: add x-tenon: { output: generated/${unknown} } to it in redocly.yaml.`,
      );
    }
    const known = apis.map(({ name }) => name).join(", ");
    throw new UsageError(`Unknown API "${unknown}": redocly.yaml has an output for ${known}.`);
  }
  return apis.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Whether redocly.yaml has an API of that name all the same: for the docs, or for Redocly alone. */
function isDeclared(name: string, [api]: readonly ApiConfig[]): boolean {
  const parsed = api?.config.document?.parsed as { readonly apis?: object } | undefined;
  return Object.hasOwn(parsed?.apis ?? {}, name);
}
