import type { Contract } from "tenon/core/model";

/** In bytes; large, because clients in development send large bodies. */
export const BODY_LIMIT = 10 * 1024 * 1024;

/** A connection without TLS has no certificate, so security requirements lose their mutual TLS. */
export function withoutCertificates(contract: Contract): Contract {
  const isPossible = (wanted: string) =>
    contract.securitySchemes.find(({ name }) => name === wanted)?.credential.kind !== "mutualTLS";
  const operations = contract.operations.map((operation) => ({
    ...operation,
    security: operation.security.map((requirement) =>
      Object.fromEntries(Object.entries(requirement).filter(([name]) => isPossible(name))),
    ),
  }));
  return { ...contract, operations };
}
