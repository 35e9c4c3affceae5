import type { HttpMethod, ParameterStyle, SecurityRequirement } from "tenon/core/legacy/model";
import type { SchemaBook } from "../values/book.js";

/** A contract as far as it can be tried out from outside. Schemas are keys of a book. */
export interface Target {
  readonly title: string;
  readonly version: string;
  /** Path of the first server, without a trailing slash. */
  readonly basePath: string;
  readonly operations: readonly TargetOperation[];
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  readonly requests: SchemaBook;
  readonly responses: SchemaBook;
}

export interface TargetOperation {
  readonly id: string;
  readonly method: HttpMethod;
  /** Template: `/pets/{petId}`. */
  readonly path: string;
  readonly parameters: readonly TargetParameter[];
  readonly body?: TargetBody;
  /** By status code, range or `default`. */
  readonly responses: ReadonlyMap<string, TargetResponse>;
  /** Alternatives; empty without authentication. */
  readonly security: readonly SecurityRequirement[];
  readonly deprecation?: Deprecation;
  /** Declares 501 and no success. */
  readonly stub: boolean;
  /** What can be sent, one for each media type that can be written; one without a body where there is none. */
  readonly shapes: readonly RequestShape[];
}

/** What the headers of a deprecated operation have to say. Instants are in milliseconds since 1970. */
export interface Deprecation {
  readonly since?: number;
  readonly sunset?: number;
  /** Path of the operation to use instead, below the base path. Absent where it has parameters, which are no link. */
  readonly successor?: string;
}

export type Place = "path" | "query" | "header" | "cookie";

export const PLACES: readonly Place[] = ["path", "query", "header", "cookie"];

export interface TargetParameter {
  readonly name: string;
  readonly in: Place;
  readonly required: boolean;
  readonly style: ParameterStyle | "json";
  readonly explode: boolean;
  readonly schema: string;
  readonly examples: readonly unknown[];
}

export interface TargetBody {
  readonly required: boolean;
  readonly content: readonly TargetContent[];
}

export interface TargetContent {
  readonly mediaType: string;
  /** Absent: nothing is said. */
  readonly schema?: string;
  readonly examples: readonly unknown[];
  /** Fields of forms that are files. */
  readonly files?: Readonly<Record<string, FormFile>>;
  /** How fields of forms are written, where that is not the default. */
  readonly fields?: Readonly<Record<string, { readonly style?: ParameterStyle; readonly explode?: boolean }>>;
}

export interface FormFile {
  readonly several: boolean;
  readonly mediaType: string;
}

export interface TargetResponse {
  readonly headers: readonly TargetHeader[];
  readonly content: readonly TargetContent[];
  readonly links: readonly TargetLink[];
}

export interface TargetHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: string;
  /** Described by `content` of JSON instead of a style. */
  readonly json: boolean;
}

/** `links` of a response: what of it is whose parameter. */
export interface TargetLink {
  readonly operationId: string;
  /** Parameter to runtime expression: `petId` to `$response.body#/id`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A request as one value, whose schema says of all its parts at once which requests are valid. */
export interface RequestShape {
  /** Key of the schema, in the requests' book: `{ path: { petId }, query: {}, body }`. */
  readonly schema: string;
  readonly mediaType?: string;
}

/** A request's parameters by place and name, and its body. What is not sent is absent. */
export interface RequestValue {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly cookie?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export type SecurityScheme =
  | { readonly kind: "bearer" }
  | { readonly kind: "basic" }
  | { readonly kind: "key"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  /** No request can carry it, or not in a way that is known here: `mutualTLS`. */
  | { readonly kind: "other" };

/** The declared response of a status: its own, its range's, or `default`. */
export function findResponse({ responses }: TargetOperation, status: number): TargetResponse | undefined {
  return (
    responses.get(String(status)) ??
    responses.get(`${Math.floor(status / 100)}XX`) ??
    responses.get("default")
  );
}

/** `GET /pets/{petId}` */
export function toLabel({ method, path }: Pick<TargetOperation, "method" | "path">): string {
  return `${method.toUpperCase()} ${path}`;
}

/** What tells a parameter from the others of its operation: `query/limit`. */
export function toParameterKey({ in: place, name }: Pick<TargetParameter, "in" | "name">): string {
  return `${place}/${name}`;
}
