/**
 * What the runtime knows of one operation. `tenon generate` writes a table of these into `server.ts`: data and names only,
 * so that everything the contract decides is readable in one place and all logic stays in the runtime.
 */
export interface OperationDescriptor {
  /** The contract's `operationId`, or a name derived from method and path where it has none. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path template as the contract writes it, below the base path: `/pets/{petId}`. */
  readonly path: string;
  readonly parameters: readonly ParameterDescriptor[];
  /** Absent when the operation declares no request body. */
  readonly requestBody?: RequestBodyDescriptor;
  /** Status code, range (`"4XX"`) or `"default"` to what may be sent under it. */
  readonly responses: Readonly<Record<string, ResponseDescriptor>>;
  /** Alternatives, in order; each names the schemes that must all pass. Empty: no authentication. */
  readonly security: readonly SecurityRequirement[];
  readonly deprecation?: DeprecationDescriptor;
  /** The contract declares 501 and no success yet: the runtime answers 501 and no handler can be written. */
  readonly stub?: true;
}

export type HttpMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** How a value is written as text: a parameter, or a field of a form. */
export interface StyledDescriptor {
  readonly name: string;
  /** Default: `simple` in path and header, `form` in query, cookie and forms. */
  readonly style?: ParameterStyle;
  /** Default: true for `form`, else false. */
  readonly explode?: boolean;
  /** What its text is read as. */
  readonly type: ValueType;
}

export interface ParameterDescriptor extends StyledDescriptor {
  readonly in: "path" | "query" | "header" | "cookie";
  /** A query parameter that may be empty: `?name=`. */
  readonly allowEmptyValue?: true;
  /** Its schema describes what the text stands for, and does not judge it. */
  readonly opaque?: true;
  /** Who sends it is told of to observers. */
  readonly deprecated?: true;
}

/** @see https://spec.openapis.org/oas/v3.1.1#style-values */
export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/**
 * What a value written as text is read as; `json` is whatever its text says. A list is a union: the text becomes the first of
 * its types that it is a form of, an array when it is more than one text or no form of the others, and an object where it has
 * names.
 */
export type ValueType =
  PlainType | "json" | ArrayType | ObjectType | readonly (PlainType | ArrayType | ObjectType)[];

export type PlainType = "null" | "boolean" | "integer" | "number" | "string";

export interface ArrayType {
  readonly items: ValueType;
}

export interface ObjectType {
  /** Default: none. */
  readonly properties?: Readonly<Record<string, ValueType>>;
  /** Type of the properties that are not declared. Absent: there are no others. */
  readonly additionalProperties?: ValueType;
}

export interface RequestBodyDescriptor {
  readonly required: boolean;
  /** Media types and ranges in document order: `application/json`. */
  readonly mediaTypes: readonly string[];
  /** What those media types that are forms are read as; a form whose schema is no object is text or bytes as a whole. */
  readonly forms?: Readonly<Record<string, FormDescriptor | "text" | "binary">>;
}

export interface FormDescriptor {
  readonly fields: readonly FieldDescriptor[];
  /** Type of the fields that are not declared. Absent: they are texts and files as they come. */
  readonly others?: FieldDescriptor["type"];
}

/** How one field of a form is written; a file is as it is, in no style. */
export interface FieldDescriptor extends Omit<StyledDescriptor, "type"> {
  /** `files` are any number of them. */
  readonly type: ValueType | "file" | "files";
  /** Media types and ranges that a part must have; absent: any. */
  readonly mediaTypes?: readonly string[];
}

export interface ResponseDescriptor {
  /** Media types and ranges in document order; empty when the response has no body. */
  readonly mediaTypes: readonly string[];
  /** Name of the reply method of each media type; absent unless there are several. */
  readonly methods?: readonly string[];
}

/** Security scheme name to required scopes (empty for schemes without scopes). */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/**
 * The end of an operation's life, from `deprecated`, `x-deprecated-since`, `x-sunset` and `x-replaced-by`.
 * Instants are ISO 8601 in UTC: `2030-12-05T00:00:00.000Z`.
 */
export interface DeprecationDescriptor {
  /** Start of the deprecation (RFC 9745). */
  readonly since?: string;
  /** From this instant on the operation answers 410 (RFC 8594). */
  readonly sunset?: string;
  /** Path of the successor below the base path, for `Link: <…>; rel="successor-version"`. */
  readonly successor?: string;
}
