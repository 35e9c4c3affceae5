import type { Node } from "tenon/core/legacy/document";
import type { Contract } from "tenon/core/legacy/model";
import { findUsualSecurity, type Security, toClientOperation } from "./client-operation.js";
import { toSecuritySchemes } from "./security-schemes.js";
import { emitHeader, type EmitOptions, emitExpanded, emitValue } from "./text.js";

export interface ClientSource extends EmitOptions {
  /** The bundled document, whose security schemes the client has to know. */
  readonly document: Node;
  /** Whether types.ts marks properties as `readOnly` or `writeOnly`. */
  readonly marked: boolean;
}

/** Emits client.ts: a typed client of the contract's operations, and what it has to know of them while it runs. */
export function emitClient(contract: Contract, { source, document, marked }: ClientSource): string {
  const securitySchemes = toSecuritySchemes(document);
  const security = findUsualSecurity(contract.operations);
  const table = { securitySchemes, security, operations: toOperations(contract, security) };
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
 * Typed client of every operation: \`client.GET("/path", { params })\` resolves to \`{ status, data, response }\` or
 * \`{ status, error, response }\`; a look at \`status\` tells the compiler which.
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
