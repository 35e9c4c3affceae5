import type { Lifecycle } from "../document/lifecycle.js";

/**
 * What an OpenAPI document says, with everything resolved that generated code needs resolved: references to parameters,
 * responses, headers, request bodies and path items are followed, security is inherited, names are identifiers.
 * Only references between schemas stay, by component name. Everything is in document order. What has no `lifecycle` is stable
 * and not deprecated.
 */
export interface Contract {
  readonly title: string;
  readonly version: string;
  /** Path that the servers' URLs share, without a trailing slash: `/v1`, or "" when there is none. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  readonly webhooks: readonly OutgoingRequest[];
  readonly schemas: readonly NamedSchema[];
  readonly securitySchemes: readonly SecurityScheme[];
}

export interface Operation {
  /** The contract's `operationId`, or a name derived from method and path. */
  readonly id: string;
  /** What the operation's types are named after: `ListPets`. An identifier, different for every operation. */
  readonly typeName: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly summary?: string;
  /** The first of its tags. */
  readonly tag?: string;
  /** The path item's merged in; the operation's own win. Headers that OpenAPI ignores as parameters are left out. */
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: readonly Response[];
  readonly callbacks: readonly OutgoingRequest[];
  /** Alternatives in document order, the operation's own or the root's; empty without authentication. */
  readonly security: readonly SecurityRequirement[];
  readonly lifecycle?: Lifecycle;
  /** The operation to use instead of a deprecated one. */
  readonly successor?: Pick<Operation, "id" | "method" | "path">;
  /** Declares 501 and no success: the runtime answers, no handler can be written. */
  readonly stub: boolean;
}

/** A request that the service sends: a webhook, or a callback that an operation promises. */
export interface OutgoingRequest {
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

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly description?: string;
  readonly lifecycle?: Lifecycle;
  readonly required: boolean;
  /** A handler sees a value even when the request has none. */
  readonly hasDefault: boolean;
  readonly schema: Schema;
  /** How its value is written. */
  readonly style: ParameterStyle;
  /** Whether an array's items, or an object's properties, are written one by one: `a=1&a=2` and not `a=1,2`. */
  readonly explode: boolean;
  /** An empty value is one: `?name=`. Of query parameters. */
  readonly allowEmptyValue: boolean;
  readonly type: ValueType;
  /** Its schema describes what the text stands for, and cannot judge the text: `content` of XML, say. */
  readonly opaque?: true;
}

export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/**
 * What a value that is written as text is read as; `json` is whatever its text says. A list is a union: the text becomes the
 * first of its types that it is a form of, an array when it is more than one text or no form of the others, and an object
 * where it has names.
 */
export type ValueType =
  PlainType | "json" | ArrayValue | ObjectValue | readonly (PlainType | ArrayValue | ObjectValue)[];

export type PlainType = "null" | "boolean" | "integer" | "number" | "string";

export interface ArrayValue {
  readonly items: ValueType;
}

export interface ObjectValue {
  readonly properties?: Readonly<Record<string, ValueType>>;
  /** Absent: there are no properties but the declared ones. */
  readonly additionalProperties?: ValueType;
}

export interface RequestBody {
  readonly required: boolean;
  readonly mediaTypes: readonly MediaType[];
}

export interface MediaType {
  /** As the contract writes it; may be a range such as `image/*`. */
  readonly name: string;
  /** What its reply method is called beside others under one status: `json`, `problemJson`. */
  readonly methodName: string;
  readonly schema: Schema;
  /** What a request's form is read as; the whole body is text or bytes where its schema is no object. Absent for other media types. */
  readonly form?: Form | "text" | "binary";
}

export interface Form {
  readonly fields: readonly FormField[];
  /** Of the fields that are not declared. Absent: nothing is said of them. */
  readonly others?: Pick<FormField, "type">;
}

/** A property of a form's schema, and how it is written. */
export interface FormField {
  readonly property: Property;
  /** `files` are any number of them. */
  readonly type: ValueType | "file" | "files";
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Media types and ranges that a part may have. Empty: not stated. */
  readonly mediaTypes: readonly string[];
}

export interface Response {
  /** `"200"`, `"4XX"` or `"default"`. */
  readonly status: string;
  readonly description?: string;
  readonly headers: readonly ResponseHeader[];
  /** Empty when the response has no body. */
  readonly mediaTypes: readonly MediaType[];
}

export interface ResponseHeader {
  readonly name: string;
  readonly description?: string;
  readonly lifecycle?: Lifecycle;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface SecurityScheme {
  readonly name: string;
  readonly description?: string;
}

/** A schema component. */
export interface NamedSchema {
  readonly name: string;
  /** An identifier, different for every component. */
  readonly typeName: string;
  readonly schema: Schema;
}

export type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/**
 * A JSON Schema as far as types can say it, in one dialect: OpenAPI 3.0's `nullable` and 3.1's type arrays look the same
 * here, `const` is an `enum` of one, and 3.0's ignored siblings of `$ref` are gone. An empty object allows anything.
 */
export interface Schema {
  /** Schema component that this one refers to. */
  readonly reference?: NamedSchema["name"];
  readonly description?: string;
  readonly lifecycle?: Lifecycle;
  readonly readOnly?: true;
  readonly writeOnly?: true;
  readonly hasDefault?: true;
  /** A string of bytes, which a form carries as a file: `format: binary`, or `contentMediaType` without an encoding. */
  readonly binary?: true;
  /** The schema `false`: allows nothing. */
  readonly never?: true;
  /** Without `null`, which is {@link nullable}; empty when only null is allowed. Absent: any type. */
  readonly types?: readonly JsonType[];
  readonly nullable?: true;
  /** Allowed values without null. */
  readonly enum?: readonly unknown[];
  readonly properties?: readonly Property[];
  /** Required names that are not among {@link properties}: `allOf` members or others declare them. */
  readonly requiredElsewhere?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}
