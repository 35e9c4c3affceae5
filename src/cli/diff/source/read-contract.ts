import { createConfig } from "@redocly/openapi-core";
import type { ApiConfig } from "../../project/config.js";
import { buildContract } from "tenon/core/model";
import { loadContract } from "../../load/load.js";
import type { LocatedContract } from "../diff-contracts.js";
import type { NamedContract } from "../ask-compiler.js";
import type { ContractSource } from "./contract-source.js";

/**
 * Reads a contract for a comparison, without linting it.
 * @throws {ContractError} when it cannot be read.
 */
export async function readContract(
  source: Omit<ContractSource, "isOnDisk">,
  api: Pick<ApiConfig, "config"> | undefined,
): Promise<LocatedContract & NamedContract> {
  const config = api?.config ?? (await createConfig({}));
  const options = { lint: false, ...(source.read && { read: source.read }) };
  const loaded = await loadContract(source.file, config, options);
  const { document, locate } = loaded;
  return {
    loaded,
    name: source.show(source.file),
    contract: buildContract(document),
    locate: (pointer) => {
      const { file, line, pointer: written } = locate(pointer);
      return { file: source.show(file), line, pointer: written };
    },
  };
}
