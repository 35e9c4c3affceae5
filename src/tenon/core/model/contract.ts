import type { HttpMethod } from "../http/methods.js";
import type { Lasting } from "../document/lifecycle.js";
import type { Placed } from "../document/node.js";
import type { ParameterLocation, Written } from "../parameters/style.js";
import type { ValueType } from "../parameters/value-type.js";
import type { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";
import type { Example, Form, RequestBody, Response, ResponseHeader } from "./content.js";

/**
 * The model of an OpenAPI document. References are followed, operations have the parameters of their path item and the inherited
 * security, names are identifiers, and schemas are in one dialect. Only references between schemas stay, as keys of the registry.
 * Members are in document order, each with its JSON pointer in the document. A node without `lifecycle` is stable and not
 * deprecated.
 */
export interface Contract {
  /** `3.1.0` */
  readonly openapi: string;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Path of the first server's URL without a trailing slash: `/v1`, or "" if there is none. */
  readonly basePath: string;
  /** The different paths of all servers and of the values of their variables; {@link basePath} is the first. */
  readonly basePaths: readonly string[];
  readonly servers: readonly Server[];
  /** The declared tags; operations may have others. */
  readonly tags: readonly Tag[];
  /** Every path, also without operations or with an invalid path template. */
  readonly pathItems: readonly PathItem[];
  readonly operations: readonly Operation[];
  readonly webhooks: readonly OutgoingRequest[];
  /** The schema components. */
  readonly schemas: readonly NamedSchema[];
  readonly registry: SchemaRegistry;
  /** The other components, used or not. */
  readonly components: Components;
  readonly securitySchemes: readonly SecurityScheme[];
  /** Security of operations that do not declare their own; empty without authentication. */
  readonly security: readonly SecurityRequirement[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#server-object */
export interface Server extends Placed {
  readonly name?: string;
  /** URL with its variables in braces. */
  readonly url: string;
  readonly description?: string;
  readonly variables: readonly ServerVariable[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#tag-object */
export interface Tag extends Placed {
  readonly name: string;
  /** `x-displayName` or `summary`: the name that is shown in docs. */
  readonly displayName?: string;
  readonly description?: string;
  /** Name of the tag that it is in. */
  readonly parent?: string;
  /** `nav`, `badge`, `audience` or another. */
  readonly kind?: string;
}

export interface ServerVariable extends Placed {
  readonly name: string;
  readonly default?: string;
  /** Allowed values; empty if any value is allowed. */
  readonly enum: readonly string[];
  readonly description?: string;
}

/** @see https://spec.openapis.org/oas/v3.1.0#operation-object */
export interface Operation extends Placed, Lasting {
  /** The contract's `operationId`, or a name derived from method and path. */
  readonly id: string;
  /** True if the contract declares the `operationId`. */
  readonly hasId: boolean;
  /** Prefix of the names of the operation's types: `ListPets`. A unique identifier. */
  readonly typeName: string;
  readonly method: HttpMethod;
  /** Path template: `/pets/{petId}`. */
  readonly path: string;
  readonly pathItem: PathItem;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** The operation's own servers; empty if those of the path item or the contract apply. */
  readonly servers: readonly Server[];
  /** Base paths of the servers of the operation or its path item; absent if the contract's apply. */
  readonly basePaths?: readonly string[];
  /** Parameters of the operation and its path item; the operation's own take precedence. Headers that OpenAPI ignores are left out. */
  readonly parameters: readonly Parameter[];
  /** Parameters that the operation itself declares; names may repeat. */
  readonly ownParameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
  readonly callbacks: readonly OutgoingRequest[];
  /** Alternatives in document order, the operation's own or the contract's; empty without authentication. */
  readonly security: readonly SecurityRequirement[];
  /** Pointer of the `security` that applies, its own or the contract's. Absent if neither has one. */
  readonly securityPointer?: string;
  /** The operation to use instead of a deprecated one. */
  readonly successor?: Pick<Operation, "id" | "method" | "path" | "basePaths">;
  /** Raw `x-pagination`; see `findPagination`. */
  readonly pagination?: unknown;
  /** True if undeclared query parameters are ignored, false if they are refused: `x-eov-allow-unknown-query-parameters`. */
  readonly allowsUndeclaredQuery?: boolean;
  /** True if the operation declares 501 and no success: the runtime responds, and the operation has no handler. */
  readonly stub: boolean;
  /** Set if it is the receiver's side of a webhook or callback: the sender of its requests is the service, so they have its view. */
  readonly outgoing?: OutgoingRequest;
}

/** @see https://spec.openapis.org/oas/v3.1.0#path-item-object */
export interface PathItem extends Placed {
  /** Key of the Paths Object: `/pets/{petId}`. */
  readonly path: string;
  /** Pointer of the key; {@link pointer} is that of the resolved path item. */
  readonly declaredAt: string;
  readonly servers: readonly Server[];
  /** Parameters for all its operations; names may repeat. */
  readonly parameters: readonly Parameter[];
}

/** A request that the service sends: a webhook, or a callback of an operation. */
export interface OutgoingRequest extends Placed, Lasting {
  /** Name of the webhook or callback; several methods and expressions share it. */
  readonly name: string;
  /** Runtime expression for the URL of a callback: `{$request.body#/url}`. */
  readonly expression?: string;
  readonly method: HttpMethod;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  /** Parameters of the request and its path item. */
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: readonly Response[];
}

/** Required scopes by name of the security scheme; all schemes must pass. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** @see https://spec.openapis.org/oas/v3.1.0#parameter-object */
export interface Parameter extends Placed, Written, Lasting {
  readonly name: string;
  readonly in: ParameterLocation;
  /** Pointer in the list of an operation or path item; {@link pointer} is that of the resolved parameter. */
  readonly declaredAt: string;
  readonly description?: string;
  readonly required: boolean;
  /** True if the schema has a default: a handler gets a value even if the request has none. */
  readonly hasDefault: boolean;
  readonly schema: Schema;
  /** True if a query parameter may be empty: `?name=`. */
  readonly allowEmptyValue: boolean;
  readonly allowReserved: boolean;
  /** Type that its text is converted to. */
  readonly type: ValueType;
  /** Media type, if it has `content` instead of a style. */
  readonly mediaType?: string;
  /** Fields of a parameter `in: querystring` that is a form. */
  readonly form?: Form;
  /** Set if the schema describes the parsed content and cannot validate the text, for example `content` of XML. */
  readonly opaque?: true;
  readonly examples: readonly Example[];
  /** The declaration in the document. `style`, `explode`, `schema` and `allowEmptyValue` of the parameter are the effective values. */
  readonly declared: DeclaredParameter;
}

export interface DeclaredParameter {
  /** The declared text, which may be an invalid style. */
  readonly style: string;
  readonly explode: boolean;
  readonly schema: Schema;
  readonly allowEmptyValue: boolean;
}

/** @see https://spec.openapis.org/oas/v3.1.0#security-scheme-object */
export interface SecurityScheme extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly credential: Credential;
  readonly deprecated: boolean;
  /** Flows of an OAuth 2.0 scheme; empty for other schemes. */
  readonly flows: readonly OAuthFlow[];
  readonly openIdConnectUrl?: string;
  readonly oauth2MetadataUrl?: string;
}

/** How a request carries the credential of a security scheme. */
export type Credential =
  /** An `Authorization` header with this case-insensitive scheme: `bearer`, `basic`, `Digest`. */
  | { readonly kind: "http"; readonly scheme: string }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  /** A bearer token. */
  | { readonly kind: "oauth2" | "openIdConnect" }
  | { readonly kind: "mutualTLS" }
  /** A type that OpenAPI does not define. */
  | { readonly kind: "unknown"; readonly type: string };

export interface OAuthFlow extends Placed {
  readonly name: string;
  readonly authorizationUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: readonly string[];
}

/** Components other than schemas, by key. A component that is a reference has the pointer of its target. */
export interface Components {
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly headers: ReadonlyMap<string, ResponseHeader>;
  readonly requestBodies: ReadonlyMap<string, RequestBody>;
  readonly responses: ReadonlyMap<string, Omit<Response, "status">>;
}

/** A schema component. */
export interface NamedSchema {
  readonly name: string;
  /** A unique identifier. */
  readonly typeName: string;
  /** Key in the registry. */
  readonly reference: string;
  readonly schema: Schema;
}
