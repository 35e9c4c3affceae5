import { dereference, type ContractDocument } from "./contract-document.js";
import type { ReplyHeaders } from "./reply.js";

/** Problems of the headers of one reply; empty when they are as declared. */
export type HeaderCheck = (headers: ReplyHeaders) => readonly string[];

/** Compiles a JSON Schema; the subset of Ajv's interface that is needed. */
export type CompileSchema = (schema: object) => {
  (value: unknown): unknown;
  errors?: readonly SchemaProblem[] | null;
};

/** The members of Ajv's errors that are read. */
export interface SchemaProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema?: object;
}

/**
 * Compiles the header declarations of an operation's responses, which express-openapi-validator leaves alone.
 * @returns checks by status code, range or `"default"`; none where no header is declared.
 */
export function compileResponseHeaders(
  compile: CompileSchema,
  document: ContractDocument,
  responses: unknown,
): ReadonlyMap<string, HeaderCheck> {
  const checks = new Map<string, HeaderCheck>();
  for (const [key, reference] of Object.entries(responses ?? {})) {
    const { headers = {} } = dereference(document, reference) as ResponseObject;
    const declared = Object.entries(headers).map(
      ([name, header]) => [name.toLowerCase(), dereference(document, header) as HeaderObject] as const,
    );
    if (declared.length === 0) continue;
    const validate = compile({
      type: "object",
      properties: Object.fromEntries(declared.map(([name, { schema }]) => [name, schema ?? {}])),
      required: declared.flatMap(([name, { required }]) => (required === true ? [name] : [])),
      // References in the headers' schemas are resolved from here.
      components: document.components,
    });
    checks.set(key, (sent) => {
      if (validate(Object.fromEntries(present(sent))) === true) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) =>
        ["header", instancePath.slice(1), message ?? "is invalid"].filter((word) => word !== "").join(" "),
      );
    });
  }
  return checks;
}

function present(headers: ReplyHeaders): [string, unknown][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as [string, unknown]],
  );
}
