import type { Contract } from "tenon/core/model";
import { GENERATED_VERSION } from "tenon/core/version";
import { findUsualSecurity, type Security, toClientOperation } from "./client-operation.js";
import { toSecuritySchemes } from "./security-schemes.js";
import { emitHeader, type EmitOptions, emitExpanded, emitValue } from "../text.js";

export interface ClientSource extends EmitOptions {
  /** True if types.ts marks properties as `readOnly` or `writeOnly`. */
  readonly marked: boolean;
}

/** Emits client.ts: a typed client of the contract's operations, with their run-time data. */
export function emitClient(contract: Contract, { source, marked }: ClientSource): string {
  const securitySchemes = toSecuritySchemes(contract);
  const security = findUsualSecurity(contract.operations);
  const table = {
    tenon: GENERATED_VERSION,
    securitySchemes,
    security,
    operations: toOperations(contract, security),
  };
  const schemes = Object.keys(securitySchemes).map((name) => emitValue(name));
  const paths = marked ? `paths, "marked"` : "paths";
  return `${emitHeader(source)}import {
  type ClientContract,
  type ClientOptions,
  type ContractClient,
  createContractClient,
} from "tenon/client";
import type { paths } from "./types.js";

/** The contract's security schemes. */
type Scheme = ${schemes.length === 0 ? "never" : schemes.join(" | ")};

const contract: ClientContract = ${emitExpanded(table)};

/**
 * Creates a typed client. \`client.GET("/path", { params })\` resolves to \`{ status, data, response }\` or
 * \`{ status, error, response }\`; compare \`status\` to narrow the type.
 */
export function createClient(options: ClientOptions<Scheme>): ContractClient<${paths}> {
  return createContractClient<${paths}>(contract, options);
}
`;
}

function toOperations({ operations }: Contract, security: Security): object {
  const paths = new Map<string, Map<string, object>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? new Map<string, object>();
    paths.set(operation.path, methods.set(operation.method, toClientOperation(operation, security)));
  }
  return Object.fromEntries([...paths].map(([path, methods]) => [path, Object.fromEntries(methods)]));
}
