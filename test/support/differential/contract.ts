/** The parts of a bundled contract that requests are generated from, and as loose as JSON. */
export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, Scheme>> };
  readonly security?: readonly Requirement[];
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
  readonly security?: readonly Requirement[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema?: Schema;
}

export interface Scheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: "header" | "query" | "cookie";
  readonly name?: string;
}

export type Requirement = Readonly<Record<string, readonly string[]>>;

/** The keywords that values are generated from. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** Follows references of a bundled contract, all of which begin with `#/`. */
export function follow<T extends object>(document: Document, value: T): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value;
  let found: unknown = document;
  for (const token of value.$ref.slice(2).split("/")) {
    const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    found = (found as Record<string, unknown>)[key];
  }
  return follow(document, found as T);
}
