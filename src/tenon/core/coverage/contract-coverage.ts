import {
  type Contract,
  type MediaType,
  type Operation,
  type Response,
  toParameterKey,
} from "../model/index.js";
import type { Schema } from "../schema/index.js";
import { type CoverageItem, type CoverageKind, type Found, SchemaCoverage } from "./schema-coverage.js";

/** A valid request. */
export interface CoveredRequest {
  /** Values by location and name: `query/limit`; names of headers in lower case. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Media type as the contract declares it; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
}

/** The declared part of a response, without its body. */
export interface CoveredResponse {
  /** The key of `responses` that declares its status. */
  readonly key: string;
  /** Media type as the contract declares it. */
  readonly mediaType: string | undefined;
  /** Names in lower case. */
  readonly headers: readonly string[];
}

/**
 * Finds the coverage items of operations. Parameters, media types, statuses and headers count for each operation. Schemas count once
 * for all requests and once for all responses, as a function counts once for all its callers.
 */
export class ContractCoverage {
  readonly #request: SchemaCoverage;
  readonly #response: SchemaCoverage;

  constructor(private readonly contract: Contract) {
    this.#request = new SchemaCoverage("request", contract.registry);
    this.#response = new SchemaCoverage("response", contract.registry);
  }

  /** Lists every item of the contract once, in the order of its operations. */
  list(): readonly CoverageItem[] {
    const items = new Map<string, CoverageItem>();
    const found = (item: CoverageItem) => {
      if (!items.has(item.id)) items.set(item.id, item);
    };
    for (const operation of this.contract.operations) this.#listOperation(operation, found);
    return [...items.values()];
  }

  #listOperation(operation: Operation, found: Found): void {
    for (const parameter of operation.parameters) {
      found(toParameterItem(operation, parameter));
      this.#request.list(parameter.schema, found);
    }
    for (const mediaType of operation.requestBody?.mediaTypes ?? []) {
      found(toRequestTypeItem(operation, mediaType));
      const { schema } = mediaType.items ?? mediaType;
      if (schema) this.#request.list(schema, found);
    }
    for (const response of operation.responses) {
      const { status, headers, mediaTypes } = response;
      found(toResponseItem(operation, response));
      for (const header of headers) found(toHeaderItem(operation, status, header));
      for (const mediaType of mediaTypes) {
        found(toResponseTypeItem(operation, status, mediaType));
        if (mediaType.schema && !mediaType.items?.parts) this.#response.list(mediaType.schema, found);
        if (mediaType.items === undefined) continue;
        for (const { item } of this.#listKinds(operation, status, mediaType)) found(item);
        this.#response.list(mediaType.items.schema, found);
      }
    }
  }

  /** Lists the kinds of items of a stream: each event, or each alternative of the schema. */
  #listKinds(operation: Operation, status: string, { name, items }: MediaType): readonly ItemKind[] {
    if (items === undefined) return [];
    const { schema, events } = items;
    const parts = [...this.contract.registry.parts(schema)];
    const alternatives = parts.flatMap(({ oneOf = [], anyOf = [] }) => [...oneOf, ...anyOf]);
    return (alternatives.length === 0 ? [schema] : alternatives).map((alternative, index) => {
      const { event, text } = events[index] ?? {};
      const component = alternative.reference?.split("/").at(-1);
      const what =
        event ?? text ?? component ?? (alternatives.length === 0 ? "any" : `alternative ${index + 1}`);
      const { pointer } = alternative;
      return {
        schema: alternative,
        item: toItem(operation, "response item", `${status} ${name} ${what}`, pointer),
      };
    });
  }

  /** Finds the items that a valid request covers. */
  findInRequest(operation: Operation, request: CoveredRequest, found: Found): void {
    for (const parameter of operation.parameters) {
      const key = toParameterKey(parameter);
      if (!Object.hasOwn(request.parameters, key)) continue;
      found(toParameterItem(operation, parameter));
      this.#request.find(request.parameters[key], parameter.schema, found);
    }
    const mediaType = getMediaType(operation.requestBody, request.mediaType);
    if (mediaType === undefined) return;
    found(toRequestTypeItem(operation, mediaType));
    const { whole } = mediaType.items?.parts ?? {};
    if (whole) this.#request.find(request.body, whole, found);
    else if (mediaType.schema && !mediaType.items) this.#request.find(request.body, mediaType.schema, found);
  }

  /** Finds the items that a valid item of a request body covers. */
  findInItem(
    { requestBody }: Operation,
    { mediaType, item }: { readonly mediaType: string | undefined; readonly item: unknown },
    found: Found,
  ): void {
    const { items } = getMediaType(requestBody, mediaType) ?? {};
    if (items) this.#request.find(item, items.schema, found);
  }

  /** Finds the items that a response covers, without its body. */
  findInResponse(operation: Operation, { key, mediaType, headers }: CoveredResponse, found: Found): void {
    const response = operation.responses.find(({ status }) => status === key);
    if (response === undefined) return;
    found(toResponseItem(operation, response));
    for (const header of response.headers)
      if (headers.includes(header.name.toLowerCase())) found(toHeaderItem(operation, key, header));
    const declared = getMediaType(response, mediaType);
    if (declared) found(toResponseTypeItem(operation, key, declared));
  }

  /** Finds the items that an item of a response covers. */
  findInResponseItem(
    operation: Operation,
    { key, mediaType, item: value }: Omit<CoveredResponse, "headers"> & { readonly item: unknown },
    found: Found,
  ): void {
    const declared = getMediaType(
      operation.responses.find(({ status }) => status === key),
      mediaType,
    );
    if (declared?.items === undefined) return;
    for (const { schema, item } of this.#listKinds(operation, key, declared))
      if (this.#response.mayMatch(value, schema)) found(item);
    this.#response.find(value, declared.items.schema, found);
  }

  /** Finds the items that the value of a response's body covers. */
  findInBody(schema: Schema, body: unknown, found: Found): void {
    this.#response.find(body, schema, found);
  }
}

/** The media type of a body by its declared name. */
function getMediaType(
  content: Pick<Response, "mediaTypes"> | undefined,
  name: string | undefined,
): MediaType | undefined {
  return content?.mediaTypes.find((mediaType) => mediaType.name === name);
}

interface ItemKind {
  readonly schema: Schema;
  readonly item: CoverageItem;
}

type Declared = Pick<MediaType, "name" | "pointer">;

function toParameterItem(operation: Operation, parameter: Operation["parameters"][number]): CoverageItem {
  const name = toParameterKey(parameter).replace("/", " ");
  return toItem(operation, "parameter", name, parameter.declaredAt);
}

function toRequestTypeItem(operation: Operation, { name, pointer }: Declared): CoverageItem {
  return toItem(operation, "request media type", name, pointer);
}

function toResponseItem(operation: Operation, { status, declaredAt }: Response): CoverageItem {
  return toItem(operation, "response", status, declaredAt);
}

function toResponseTypeItem(operation: Operation, status: string, { name, pointer }: Declared): CoverageItem {
  return toItem(operation, "response media type", `${status} ${name}`, pointer);
}

function toHeaderItem(operation: Operation, status: string, { name, pointer }: Declared): CoverageItem {
  return toItem(operation, "response header", `${status} ${name}`, pointer);
}

function toItem({ id }: Operation, kind: CoverageKind, what: string, pointer: string): CoverageItem {
  return { id: `${id} ${kind} ${what}`, kind, title: `${id}: ${what}`, pointer };
}
