import { readFileSync } from "node:fs";
import type { Router } from "express";
import { createFilesRouter } from "tenon/docs";
import { contractUrl } from "../../generated/v1/server.js";

/** The parts of the contract that the service reads. */
export interface ContractDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly servers: readonly { variables?: Record<string, { default: string }> }[];
}

/**
 * Reads the contract to publish.
 * @param publicUrl Address of this service; replaces the placeholder in the contract.
 */
export function readContract(publicUrl: string | undefined): ContractDocument {
  const contract = JSON.parse(readFileSync(contractUrl, "utf8")) as ContractDocument;
  const variable = contract.servers[0]?.variables?.["base_url"];
  if (publicUrl !== undefined && variable !== undefined) variable.default = `${publicUrl}/v1`;
  return contract;
}

/** Serves the contract as `openapi.json` and `openapi.yaml`. */
export function createContractFilesRouter(contract: ContractDocument): Router {
  return createFilesRouter([
    {
      name: "openapi.json",
      mediaType: "application/json",
      text: () => `${JSON.stringify(contract, null, 2)}\n`,
    },
    {
      name: "openapi.yaml",
      // Registered by RFC 9512.
      mediaType: "application/yaml",
      async text() {
        // Loaded for the first request: loading it takes a tenth of the time of a start.
        const { stringify } = await import("yaml");
        // Not every OpenAPI parser supports YAML anchors.
        return stringify(contract, { aliasDuplicateObjects: false });
      },
    },
  ]);
}
