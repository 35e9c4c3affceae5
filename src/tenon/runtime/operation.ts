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

export interface ParameterDescriptor {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  /** Default: `simple` in path and header, `form` in query and cookie. */
  readonly style?: ParameterStyle;
  /** Default: true for `form`, else false. */
  readonly explode?: boolean;
  /** What its text is read as; `"json"` for a parameter with `content`. */
  readonly type: ValueType | "json";
  /** A query parameter that may be empty: `?name=`. */
  readonly allowEmptyValue?: true;
}

/** @see https://spec.openapis.org/oas/v3.1.1#style-values */
export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/**
 * What a value written as text is read as. A list is a union: the text becomes the first of its types that it is a form of,
 * and an array when it is more than one text or no form of the others.
 */
export type ValueType = PlainType | ArrayType | ObjectType | readonly (PlainType | ArrayType)[];

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
  /** Fields of those media types that are forms. */
  readonly forms?: Readonly<Record<string, readonly FieldDescriptor[]>>;
}

/** How one field of a form is written. */
export interface FieldDescriptor {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "json" | "file";
  /** The field is an array whose items are of `type`, one a value unless there is a `delimiter`. */
  readonly array?: true;
  readonly delimiter?: "," | " " | "|";
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
