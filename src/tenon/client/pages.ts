import { getValue, parsePointer } from "../core/document/pointer.js";
import { findNextLink } from "../core/http/link.js";
import type { HttpMethod } from "../core/http/methods.js";
import { type BareClient, type BoundCall, type Call, defineCall, SEND } from "./calls.js";
import type { ClientOperation } from "./contract.js";
import type {
  DeclaredResponses,
  Marking,
  OperationOptions,
  OperationTypes,
  Rest,
} from "./contract-client.js";
import { type AnyResult, assertSuccess, type Result, type SuccessBody } from "./result.js";

/**
 * The next page of an operation cannot be requested: it is on another origin, it is a page that came before, the body has no items, or
 * a thousand pages in a row were empty.
 * @example
 * try {
 *   for await (const pet of client.listPets.items()) console.log(pet.name);
 * } catch (error) {
 *   if (error instanceof PaginationError) console.error(error.operationId, error.message);
 *   else throw error;
 * }
 */
export class PaginationError extends Error {
  override readonly name = "PaginationError";

  constructor(
    /** The `operationId`. */
    readonly operationId: string,
    why: string,
  ) {
    super(`Cannot read the next page of ${operationId}: ${why}`);
  }
}

type Responses<Operation extends OperationTypes, Method extends HttpMethod, Marks extends Marking> = Result<
  DeclaredResponses<Operation["responses"], Method, Marks>
>;

/** The successful results of a union. */
type PageOf<Results> = Results extends { readonly data: unknown } ? Results : never;

/** The type of the items below a body, by the keys of their JSON pointer. */
type ItemOf<Body, Keys> = Keys extends readonly [infer Key, ...infer Others]
  ? Key extends keyof NonNullable<Body>
    ? ItemOf<NonNullable<Body>[Key], Others>
    : unknown
  : NonNullable<Body> extends readonly (infer Item)[]
    ? Item
    : unknown;

/**
 * A {@link Call} of an operation with pages.
 * @example
 * const call: PagedCall<operations["listPets"], "get"> = generatedClient.listPets;
 * for await (const pet of call.items(client, { query: { limit: 100 } })) console.log(pet.name);
 */
export interface PagedCall<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking = "unmarked",
  Keys extends readonly string[] = [],
> extends Call<Operation, Method, Marks> {
  /** Reads the items of all pages, one by one; a page is requested when its first item is read. */
  items(
    client: BareClient,
    ...options: Rest<OperationOptions<Operation, Marks>>
  ): AsyncGenerator<ItemOf<SuccessBody<Responses<Operation, Method, Marks>>, Keys>, void>;
  /** Reads the successful results of all pages, one by one. */
  pages(
    client: BareClient,
    ...options: Rest<OperationOptions<Operation, Marks>>
  ): AsyncGenerator<PageOf<Responses<Operation, Method, Marks>>, void>;
}

/**
 * A {@link PagedCall} as a member of a client.
 * @example
 * const list: BoundPagedCall<operations["listPets"], "get"> = client.listPets;
 * for await (const pet of list.items({ query: { limit: 100 } })) console.log(pet.name);
 */
export interface BoundPagedCall<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking = "unmarked",
  Keys extends readonly string[] = [],
> extends BoundCall<Operation, Method, Marks> {
  /**
   * Reads the items of all pages, one by one; a page is requested when its first item is read.
   * @throws {ResponseError} for a response that is not successful.
   * @throws {PaginationError} when the next page is on another origin, or came before.
   */
  items(
    ...options: Rest<OperationOptions<Operation, Marks>>
  ): AsyncGenerator<ItemOf<SuccessBody<Responses<Operation, Method, Marks>>, Keys>, void>;
  /** Reads the successful results of all pages, one by one, with the errors of `items`. */
  pages(
    ...options: Rest<OperationOptions<Operation, Marks>>
  ): AsyncGenerator<PageOf<Responses<Operation, Method, Marks>>, void>;
}

/**
 * Creates the function of an operation with pages. The generated `calls.ts` has one for each. `Keys` are the keys that lead to the items
 * in the body.
 * @example
 * const listPets = definePagedCall<operations["listPets"], "get">({
 *   id: "listPets",
 *   method: "get",
 *   path: "/pets",
 *   responses: [200, 400, 401],
 *   pages: {},
 * });
 * for await (const pet of listPets.items(client)) console.log(pet.name);
 */
export function definePagedCall<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking = "unmarked",
  Keys extends readonly string[] = [],
>(operation: ClientOperation): PagedCall<Operation, Method, Marks, Keys> {
  const pages = (client: BareClient, options?: PageInit) => readPages(client, operation, options);
  async function* items(client: BareClient, options?: PageInit): AsyncGenerator<unknown, void> {
    for await (const page of pages(client, options)) yield* findItems(page, operation);
  }
  const call = defineCall<Operation, Method, Marks>(operation);
  return Object.assign(call, { pages, items }) as unknown as PagedCall<Operation, Method, Marks, Keys>;
}

/** Number of pages that are remembered to recognize one that came before. */
const MAX_SEEN = 10_000;

/** Number of empty pages in a row that can be the gaps of a filter; the caller of `items` cannot leave the loop in them. */
const MAX_EMPTY = 1_000;

interface PageInit {
  readonly query?: Readonly<Record<string, unknown>>;
}

async function* readPages(
  client: BareClient,
  operation: ClientOperation,
  options: PageInit = {},
): AsyncGenerator<AnyResult, void> {
  const { pages = {}, id } = operation;
  const { style = "link", parameter = "", first = 1 } = pages;
  const seen = new Set<string>();
  let target: URL | undefined;
  let value = options.query?.[parameter];
  let last = "";
  let empty = 0;
  for (;;) {
    const query = parameter === "" ? options.query : { ...options.query, [parameter]: value };
    const { result, url } = await client[SEND](operation, { ...options, query }, target);
    const page = assertSuccess(id, result);
    const isCounted = style === "offset" || style === "page";
    const items = isCounted ? findItems(page, operation) : [];
    const text = isCounted ? JSON.stringify(items) : "";
    // A service that ignores the parameter sends the first page for ever.
    if (isCounted && items.length > 0 && text === last)
      throw new PaginationError(id, `the page has the items of the page before`);
    last = text;
    yield page;
    if (isCounted) {
      if (items.length === 0) return;
      value = style === "page" ? Number(value ?? first) + 1 : Number(value ?? 0) + items.length;
      continue;
    }
    const next = findNext(page, pages);
    if (next === undefined) return;
    empty = isEmpty(page, pages) ? empty + 1 : 0;
    if (empty === MAX_EMPTY) throw new PaginationError(id, `${MAX_EMPTY} pages in a row had no items`);
    if (style === "cursor") value = next;
    else target = toTarget(id, next, page.response.url === "" ? url : page.response.url, url);
    const key = target?.href ?? JSON.stringify(next);
    if (key === url || seen.has(key)) throw new PaginationError(id, `${key} is a page that came before`);
    remember(seen, key);
  }
}

/** @throws {PaginationError} for another origin, which would receive the credentials. */
function toTarget(id: string, next: unknown, base: string, asked: string): URL {
  const target = URL.canParse(String(next), base) ? new URL(String(next), base) : undefined;
  const { origin } = new URL(asked);
  if (target?.origin === origin) return target;
  throw new PaginationError(id, `${target?.origin ?? JSON.stringify(next)} is not ${origin}`);
}

/** Finds the URL or cursor of the next page; undefined on the last one. */
function findNext(
  { data, response }: AnyResult,
  { next, nextHeader }: NonNullable<ClientOperation["pages"]>,
): unknown {
  const found =
    next !== undefined
      ? parsePointer(next).reduce<unknown>(getValue, data)
      : nextHeader !== undefined
        ? response.headers.get(nextHeader)
        : findNextLink(response.headers.get("Link") ?? "");
  return found === null || found === "" || found === false ? undefined : found;
}

function remember(seen: Set<string>, key: string): void {
  const [oldest] = seen;
  if (seen.size === MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  seen.add(key);
}

function isEmpty({ data }: AnyResult, { items = "" }: NonNullable<ClientOperation["pages"]>): boolean {
  const found = parsePointer(items).reduce<unknown>(getValue, data);
  return Array.isArray(found) && found.length === 0;
}

function findItems({ data }: AnyResult, { id, pages = {} }: ClientOperation): readonly unknown[] {
  const found = parsePointer(pages.items ?? "").reduce<unknown>(getValue, data);
  if (Array.isArray(found)) return found;
  throw new PaginationError(id, "the body has no array of items");
}
