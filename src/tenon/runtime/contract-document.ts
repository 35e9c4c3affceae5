import { readFileSync } from "node:fs";
import { getMember, parsePointer } from "../core/document/pointer.js";

/** The members of a bundled OpenAPI document that the runtime reads. Everything else is the validator's to understand. */
export interface ContractDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths?: Readonly<Record<string, unknown>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, unknown>>;
    readonly securitySchemes?: Readonly<Record<string, unknown>>;
  };
}

export interface SecuritySchemeObject {
  readonly type: string;
  /** Of `type: http`: an authentication scheme's name, compared without case. */
  readonly scheme?: string;
  /** Of `type: apiKey`. */
  readonly name?: string;
  readonly in?: string;
}

/**
 * Reads the contract that was generated beside the operations.
 * @throws when it is missing, is not JSON or is not an OpenAPI 3.0 or 3.1 document.
 */
export function readContract(url: URL): ContractDocument {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(url, "utf8"));
  } catch (cause) {
    throw new Error(`Cannot read the contract ${url.pathname}: ${(cause as Error).message}`, { cause });
  }
  assertContract(document, ` ${url.pathname}`);
  return document;
}

/** @throws when it is not an OpenAPI 3.0 or 3.1 document. */
export function assertContract(document: unknown, name = ""): asserts document is ContractDocument {
  const { openapi, info } = (document ?? {}) as Partial<ContractDocument>;
  if (typeof openapi === "string" && /^3\.[01]\./.test(openapi) && info !== undefined) return;
  throw new Error(`The contract${name} is not an OpenAPI 3.0 or 3.1 document`);
}

/** @returns undefined when components declare no scheme of the name. */
export function getSecurityScheme(
  document: ContractDocument,
  name: string,
): SecuritySchemeObject | undefined {
  const scheme = getMember(document.components?.securitySchemes, name);
  return scheme === undefined ? undefined : (dereference(document, scheme) as SecuritySchemeObject);
}

/**
 * Follows local references such as `#/components/headers/Link`, the only kind that a bundled document has.
 * @throws when the document has no such member, or the reference leads back to itself.
 */
export function dereference(document: ContractDocument, value: unknown): unknown {
  const seen = new Set<string>();
  let node = value;
  for (let reference = toReference(node); reference !== undefined; reference = toReference(node)) {
    if (seen.has(reference)) throw new Error(`In the contract, ${reference} leads back to itself`);
    seen.add(reference);
    node = getByReference(document, reference);
  }
  return node;
}

/**
 * What a reference leads to, which may be a reference again.
 * @throws when the document has no such member.
 */
export function getByReference(document: ContractDocument, reference: string): unknown {
  const node = parsePointer(reference).reduce<unknown>(getMember, document);
  if (node === undefined) throw new Error(`The contract has no ${reference}`);
  return node;
}

function toReference(value: unknown): string | undefined {
  const reference =
    typeof value === "object" && value !== null ? (value as { $ref?: unknown }).$ref : undefined;
  return typeof reference === "string" ? reference : undefined;
}
