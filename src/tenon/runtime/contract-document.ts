import { readFileSync } from "node:fs";

/** The members of a bundled OpenAPI document that the runtime reads. Everything else is the validator's to understand. */
export interface ContractDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths?: Readonly<
    Record<string, Readonly<Record<string, OperationObject | undefined>> | undefined>
  >;
  readonly components?: {
    readonly securitySchemes?: Readonly<Record<string, SecuritySchemeObject | undefined>>;
  };
}

export interface OperationObject {
  readonly parameters?: unknown;
  readonly requestBody?: unknown;
  readonly responses?: unknown;
}

export interface MediaTypeObject {
  /** express-openapi-validator's preprocessor writes null where there is none. */
  readonly schema?: object | boolean | null;
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
  let document: Partial<ContractDocument> | null;
  try {
    document = JSON.parse(readFileSync(url, "utf8")) as Partial<ContractDocument> | null;
  } catch (cause) {
    throw new Error(`Cannot read the contract ${url.pathname}: ${(cause as Error).message}`, { cause });
  }
  if (
    typeof document?.openapi !== "string" ||
    !/^3\.[01]\./.test(document.openapi) ||
    document.info === undefined
  ) {
    throw new Error(`The contract ${url.pathname} is not an OpenAPI 3.0 or 3.1 document`);
  }
  return document as ContractDocument;
}

/**
 * Follows a local reference such as `#/components/headers/Link`, the only kind that a bundled document has.
 * @throws when the document has no such member.
 */
export function dereference(document: ContractDocument, value: unknown): unknown {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value;
  const target = $ref
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
  if (target === undefined) throw new Error(`The contract has no ${$ref}`);
  return dereference(document, target);
}

/** Media types of a request body or response, by name. */
export function contentOf(
  document: ContractDocument,
  value: unknown,
): Readonly<Record<string, MediaTypeObject | undefined>> {
  const { content = {} } = dereference(document, value ?? {}) as {
    content?: Record<string, MediaTypeObject>;
  };
  return content;
}

export function hasSchema({ schema }: MediaTypeObject): boolean {
  return schema !== undefined && schema !== null;
}
