import { createConfig } from "@redocly/openapi-core";
import type { ApiConfig } from "../../project/config.js";
import { loadContract } from "../../load/load.js";
import type { Contract } from "../judge.js";
import type { NamedContract } from "../report/impact.js";
import type { ContractSource } from "./source.js";

/**
 * Reads a contract for a comparison. Whether it follows lint rules is no question there.
 * @throws {ContractError} when it cannot be read.
 */
export async function readContract(
  source: Omit<ContractSource, "isOnDisk">,
  api: ApiConfig | undefined,
): Promise<Contract & NamedContract> {
  const config = api?.config ?? (await createConfig({}));
  const options = { lint: false, ...(source.read && { read: source.read }) };
  const loaded = await loadContract(source.file, config, options);
  const { document, locate } = loaded;
  return {
    loaded,
    name: source.show(source.file),
    document,
    locate: (pointer) => {
      const { file, line, pointer: written } = locate(pointer);
      return { file: source.show(file), line, pointer: written };
    },
  };
}
