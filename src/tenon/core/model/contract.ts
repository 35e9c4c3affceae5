import type { Lifecycle } from "../document/lifecycle.js";
import type { ParameterLocation, Written } from "../parameters/style.js";
import type { ValueType } from "../parameters/value-type.js";
import type { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";

/**
 * What an OpenAPI document says, read once for everyone: references are followed, a path item's parameters are its
 * operations', security is inherited, names are identifiers, schemas are in one dialect. Only references between schemas
 * stay, as keys of the registry. Everything is in document order, and has the JSON pointer of its place in the document.
 * What has no `lifecycle` is stable and not deprecated.
 */
export interface Contract {
  /** `3.1.0` */
  readonly openapi: string;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Path that the servers' URLs share, without a trailing slash: `/v1`, or "" when there is none. */
  readonly basePath: string;
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  readonly webhooks: readonly OutgoingRequest[];
  /** The schema components. */
  readonly schemas: readonly NamedSchema[];
  readonly registry: SchemaRegistry;
  readonly securitySchemes: readonly SecurityScheme[];
  /** What operations without security of their own require; empty without authentication. */
  readonly security: readonly SecurityRequirement[];
}

/** Something that the document has at a JSON pointer. */
export interface Placed {
  readonly pointer: string;
}

/** @see https://spec.openapis.org/oas/v3.1.0#server-object */
export interface Server extends Placed {
  /** With its variables in braces. */
  readonly url: string;
  readonly description?: string;
  readonly variables: readonly ServerVariable[];
}

export interface ServerVariable extends Placed {
  readonly name: string;
  readonly default?: string;
  /** Empty: any value. */
  readonly enum: readonly string[];
  readonly description?: string;
}

/** @see https://spec.openapis.org/oas/v3.1.0#operation-object */
export interface Operation extends Placed {
  /** The contract's `operationId`, or a name derived from method and path. */
  readonly id: string;
  /** Whether the contract has an `operationId`. */
  readonly hasId: boolean;
  /** What the operation's types are named after: `ListPets`. An identifier, different for every operation. */
  readonly typeName: string;
  readonly method: HttpMethod;
  /** Path template: `/pets/{petId}`. */
  readonly path: string;
  readonly pathItem: PathItem;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** The operation's own; empty where the path item's or the contract's hold. */
  readonly servers: readonly Server[];
  /** The path item's merged in; the operation's own win. Headers that OpenAPI ignores as parameters are left out. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
  readonly callbacks: readonly OutgoingRequest[];
  /** Alternatives in document order, the operation's own or the contract's; empty without authentication. */
  readonly security: readonly SecurityRequirement[];
  readonly lifecycle?: Lifecycle;
  /** The operation to use instead of a deprecated one. */
  readonly successor?: Pick<Operation, "id" | "method" | "path">;
  /** Declares 501 and no success: the runtime answers, no handler can be written. */
  readonly stub: boolean;
}

export interface PathItem extends Placed {
  readonly servers: readonly Server[];
}

/** A request that the service sends: a webhook, or a callback that an operation promises. */
export interface OutgoingRequest extends Placed {
  /** Of the webhook or callback; several methods and expressions share it. */
  readonly name: string;
  /** Of a callback: where it goes, `{$request.body#/url}`. */
  readonly expression?: string;
  readonly method: HttpMethod;
  readonly summary?: string;
  readonly requestBody?: RequestBody;
  readonly responses: readonly Response[];
}

export const HTTP_METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Security scheme name to required scopes; all of them must pass. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** @see https://spec.openapis.org/oas/v3.1.0#parameter-object */
export interface Parameter extends Placed, Written {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly description?: string;
  readonly lifecycle?: Lifecycle;
  readonly required: boolean;
  /** A handler sees a value even when the request has none. */
  readonly hasDefault: boolean;
  readonly schema: Schema;
  /** An empty value is one: `?name=`. Of query parameters. */
  readonly allowEmptyValue: boolean;
  readonly allowReserved: boolean;
  /** What its text is read as. */
  readonly type: ValueType;
  /** What describes it by `content` instead of a style. */
  readonly mediaType?: string;
  /** Its schema describes what the text stands for, and does not validate the text: `content` of XML, for example. */
  readonly opaque?: true;
  readonly examples: readonly Example[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#example-object */
export interface Example extends Placed {
  /** Its key in `examples`; `default` for the one of `example`. */
  readonly name: string;
  readonly value: unknown;
  readonly summary?: string;
}

/** @see https://spec.openapis.org/oas/v3.1.0#request-body-object */
export interface RequestBody extends Placed {
  readonly required: boolean;
  readonly description?: string;
  readonly mediaTypes: readonly MediaType[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#media-type-object */
export interface MediaType extends Placed {
  /** As the contract writes it; may be a range such as `image/*`. */
  readonly name: string;
  /** What its reply method is called beside others under one status: `json`, `problemJson`. */
  readonly methodName: string;
  /** Absent: nothing is said about the body. */
  readonly schema?: Schema;
  readonly examples: readonly Example[];
  readonly encoding: readonly Encoding[];
  /** What a request's form is read as; the whole body is text or bytes where its schema is no object. Absent for other media types. */
  readonly form?: Form | "text" | "binary";
}

/** @see https://spec.openapis.org/oas/v3.1.0#encoding-object */
export interface Encoding extends Placed, Partial<Written> {
  /** The property that it is about. */
  readonly name: string;
  readonly contentType?: string;
}

export interface Form {
  readonly fields: readonly FormField[];
  /** Type of the fields that are not declared. Absent: nothing is said about them. */
  readonly others?: FormField["type"];
}

/** A property of a form's schema, and how it is written. */
export interface FormField extends Written {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  /** `files` are any number of them. */
  readonly type: ValueType | "file" | "files";
  /** Media types and ranges that a part may have. Empty: not stated. */
  readonly mediaTypes: readonly string[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#response-object */
export interface Response extends Placed {
  /** `"200"`, `"4XX"` or `"default"`. */
  readonly status: string;
  /** Where the operation declares the status: {@link pointer} is behind references. */
  readonly declaredAt: string;
  readonly description?: string;
  readonly headers: readonly ResponseHeader[];
  /** Empty when the response has no body. */
  readonly mediaTypes: readonly MediaType[];
  readonly links: readonly Link[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#header-object */
export interface ResponseHeader extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly lifecycle?: Lifecycle;
  readonly required: boolean;
  readonly schema: Schema;
  readonly explode: boolean;
  /** What describes it by `content` instead of a style. */
  readonly mediaType?: string;
  readonly examples: readonly Example[];
}

/** What of a response is a parameter of another operation: `petId` is `$response.body#/id`. */
export interface Link extends Placed {
  readonly name: string;
  readonly operationId: string;
  /** Parameter to runtime expression. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** @see https://spec.openapis.org/oas/v3.1.0#security-scheme-object */
export interface SecurityScheme extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly credential: Credential;
  /** Of OAuth 2.0, by flow. */
  readonly flows: readonly OAuthFlow[];
  readonly openIdConnectUrl?: string;
}

/** How a request carries the credential of a security scheme. */
export type Credential =
  /** An `Authorization` header with this scheme, in lower case: `bearer`, `basic`, `digest`. */
  | { readonly kind: "http"; readonly scheme: string }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  /** A bearer token. */
  | { readonly kind: "oauth2" | "openIdConnect" }
  | { readonly kind: "mutualTLS" }
  /** Not described in a way that OpenAPI knows. */
  | { readonly kind: "unknown"; readonly type: string };

export interface OAuthFlow extends Placed {
  readonly name: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly scopes: readonly string[];
}

/** A schema component. */
export interface NamedSchema {
  readonly name: string;
  /** An identifier, different for every component. */
  readonly typeName: string;
  /** Key in the registry. */
  readonly reference: string;
  readonly schema: Schema;
}
