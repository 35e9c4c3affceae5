import type { HttpMethod } from "../core/http/methods.js";
import type { Positions } from "../core/http/parts.js";
import type { Pagination } from "../core/model/pagination.js";
import type { readBytes } from "./streams/download.js";
import type { readParts, writeParts } from "./parts.js";
import type { readItems } from "./streams/read-stream.js";
import type { writeContent } from "./request-body.js";

/**
 * The part of a contract that all its operations share at run time. The generated `client.ts` contains it.
 * @example
 * const contract: ClientContract = {
 *   tenon: "0.1",
 *   securitySchemes: { bearerAuth: { scheme: "Bearer" } },
 *   security: [["bearerAuth"]],
 * };
 * const bare = createBareContractClient(contract, { baseUrl: "http://localhost:8080/v1" });
 */
export interface ClientContract {
  /** Version of Tenon that it was generated for: `0.1`. */
  readonly tenon: string;
  /** Place of each security scheme's credential, by the name of the scheme. */
  readonly securitySchemes: Readonly<Record<string, CredentialPlace>>;
  /** Security of operations without their own. */
  readonly security: Security;
  /** Base path of the contract's first server, if an operation has another one. */
  readonly basePath?: string;
}

/** Alternatives of security schemes, by name: one of the lists is required, with all schemes in it. */
export type Security = readonly (readonly string[])[];

/**
 * The place of a security scheme's credential in a request: the `Authorization` header after the name of an HTTP scheme, or a header,
 * query parameter or cookie.
 * @example
 * const bearer: CredentialPlace = { scheme: "Bearer" };
 * const apiKey: CredentialPlace = { in: "header", name: "X-Api-Key" };
 */
export type CredentialPlace =
  /** Name of the HTTP scheme that precedes the credential: `Bearer`. */
  { readonly scheme: string } | { readonly in: "header" | "query" | "cookie"; readonly name: string };

/**
 * The part of an operation that a client needs at run time.
 * @example
 * const exportPets: ClientOperation = {
 *   id: "exportPets",
 *   method: "get",
 *   path: "/pets/export",
 *   responses: [[200, "text/csv"], 400, [204], "default"],
 *   parameters: { "query/filter": { style: "deepObject" } },
 * };
 */
export interface ClientOperation {
  /** The `operationId`, or the name that is derived from the method and path without one. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path template: `/pets/{petId}`. */
  readonly path: string;
  /** Declared responses: `200` has a JSON body, `[200, "text/csv"]` has other media types, `[204]` has no body. */
  readonly responses: readonly (Status | readonly [status: Status, ...mediaTypes: string[]])[];
  /** Kinds of events by media type, for the media types whose items are received one by one. */
  readonly items?: Readonly<Record<string, readonly EventKind[]>>;
  /** Multipart bodies whose parts have positions instead of names, by media type. */
  readonly parts?: {
    readonly sent?: Readonly<Record<string, PartPositions>>;
    readonly received?: Readonly<Record<string, PartPositions>>;
  };
  /** True if the operation declares the header `Last-Event-ID`, so that its events can be continued whatever its method is. */
  readonly resumes?: true;
  /** Base path of the operation's own server: it replaces the contract's at the end of `baseUrl`. */
  readonly basePath?: string;
  /** Default: the contract's. */
  readonly security?: Security;
  /** Media types of the request body. Default: `application/json`. */
  readonly mediaTypes?: readonly string[];
  /** Styles of parameters that differ from the default of their place, by `query/filter`. */
  readonly parameters?: Readonly<Record<string, WrittenStyle>>;
  /** Form of the header `Idempotency-Key`, if the operation declares it: a UUID, or one in quotation marks. */
  readonly idempotencyKey?: "plain" | "quoted";
  /** How the next page is found, if the operation has pages. Default: `Link` with `rel="next"`, and a body that is an array. */
  readonly pages?: Partial<Pagination>;
  /** Styles of form fields that differ from the default: one field per array item, objects as JSON. */
  readonly fields?: Readonly<Record<string, WrittenStyle>>;
  /** Writes bodies that are not JSON. A bundle without such operations does not contain this function. Default: sends them unchanged. */
  readonly writeContent?: typeof writeContent;
  /** Reads the responses whose media types are in `items`. */
  readonly readItems?: typeof readItems;
  /** Writes the bodies whose media types are in `parts.sent`. */
  readonly writeParts?: typeof writeParts;
  /** Reads the responses whose media types are in `parts.received`. */
  readonly readParts?: typeof readParts;
  /** Reads bytes, as a stream on request, and continues a broken download. Default: reads a Blob. */
  readonly readBytes?: typeof readBytes;
}

/**
 * A kind of event: how its data is read. The first kind that an event can be decides.
 * @example
 * const kinds: readonly EventKind[] = [{ event: "token", json: true }, { text: "[DONE]", json: false }];
 * const items: ClientOperation["items"] = { "text/event-stream": kinds };
 */
export interface EventKind {
  /** The only value of `event`. Absent if it has another, or none. */
  readonly event?: string | undefined;
  /** The only text of `data`. */
  readonly text?: string | undefined;
  /** True if `data` is JSON. */
  readonly json: boolean;
}

/**
 * Declarations of the parts of a multipart body, by position.
 * @example
 * const picture: PartPositions = {
 *   prefix: [{ mediaTypes: ["application/json"] }],
 *   rest: { mediaTypes: ["image/png", "image/jpeg"] },
 *   whole: true,
 * };
 */
export type PartPositions = Positions;

/** A status code, a range or the default: 200, `"4XX"`, `"default"`. */
export type Status = number | string;

/**
 * The serialization of a parameter or form field: OpenAPI's `style` and `explode`. `json` is a parameter with `content`;
 * `jsonOrText` writes objects and arrays as JSON, and other values as plain text.
 * @example
 * const tags: WrittenStyle = { style: "pipeDelimited", explode: false };
 * const parameters: ClientOperation["parameters"] = { "query/tags": tags };
 */
export interface WrittenStyle {
  readonly style?:
    | ("simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie")
    | ("json" | "jsonOrText");
  readonly explode?: boolean;
  /** Leaves reserved characters without a meaning in the URL as they are. Default: false. */
  readonly allowReserved?: boolean;
  /** Fields of a parameter `in: querystring` that is a form, with the styles that differ from the default. */
  readonly fields?: Readonly<Record<string, WrittenStyle>>;
}
