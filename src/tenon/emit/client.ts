import { emitHeader, type EmitOptions } from "./text.js";

/** Emits client.ts: a typed client of the contract's operations. */
export function emitClient({ source }: EmitOptions): string {
  return `${emitHeader(source)}import { createContractClient, type ClientOptions, type ContractClient } from "tenon/client";
import type { paths } from "./types.js";

/** Typed client of every operation: \`client.GET("/path", { params })\` resolves to \`{ data, error, response }\`. */
export function createClient(options: ClientOptions): ContractClient<paths> {
  return createContractClient<paths>(options);
}
`;
}
