export type HttpMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** What a client has to know of a contract while it runs. A generated client.ts has it. */
export interface ClientContract {
  /** How the credential of each security scheme is sent. */
  readonly securitySchemes: Readonly<Record<string, CredentialPlace>>;
  /** Of operations that state none. */
  readonly security: Security;
  /** Path template to method to operation. */
  readonly operations: Readonly<
    Record<string, Readonly<Partial<Record<HttpMethod, ClientOperation>>> | undefined>
  >;
}

/** Names of security schemes in the alternatives that the contract admits: any of the lists, all of a list. */
export type Security = readonly (readonly string[])[];

export type CredentialPlace =
  /** `Authorization` with this scheme before the credential: `Bearer`. */
  { readonly scheme: string } | { readonly in: "header" | "query" | "cookie"; readonly name: string };

export interface ClientOperation {
  /** The declared answers: `200` is of JSON, `[200, "text/csv"]` of other media types, `[204]` has no body. */
  readonly responses: readonly (Status | readonly [status: Status, ...mediaTypes: string[]])[];
  /** Default: the contract's. */
  readonly security?: Security;
  /** Media types of the request body. Default: `application/json`. */
  readonly mediaTypes?: readonly string[];
  /** Parameters that are not written as those of their place are by default, such as `query/filter`. */
  readonly parameters?: Readonly<Record<string, WrittenStyle>>;
  /** Fields of forms that are not written as they are by default: each item of an array a field, an object as JSON. */
  readonly fields?: Readonly<Record<string, WrittenStyle>>;
}

/** A status code, a range or what stands for all others: 200, `"4XX"`, `"default"`. */
export type Status = number | string;

/** As OpenAPI's `style` and `explode`; `json` is a parameter with `content`. */
export interface WrittenStyle {
  readonly style?:
    "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  readonly explode?: boolean;
}
