import { getValue, parsePointer } from "../core/document/pointer.js";
import { findNextLink } from "../core/http/link.js";
import type { HttpMethod } from "../core/http/methods.js";
import { type BareClient, type BoundCall, type Call, defineCall, type OperationCall, SEND } from "./calls.js";
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

/** A {@link PagedCall} or a {@link BoundPagedCall}. */
export interface PagedOperationCall<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
> extends OperationCall<Operation, Method, Marks> {
  readonly pages: (...options: never) => unknown;
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

/**
 * The value that leads to a page: the URL of a link relative to the page before, a cursor, a number of items or the number of a page;
 * null for the first page.
 * @example
 * const first: PageParam = null;
 * const byLink: PageParam = "?cursor=7";
 * const byOffset: PageParam = 40;
 */
export type PageParam = string | number | null;

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
  options?: PageInit,
): AsyncGenerator<AnyResult, void> {
  const seen = new Set<PageParam>();
  let last: AnyResult | undefined;
  let param: PageParam = null;
  let empty = 0;
  do {
    const { result, findNext } = await readPage(client, operation, options, param);
    if (last !== undefined && isRepeated(operation, result, last))
      throw new PaginationError(operation.id, "the page has the items of the page before");
    last = result;
    yield result;
    param = findNext();
    if (param !== null && seen.has(param)) throw toLoopError(operation, param);
    remember(seen, param);
    empty = isEmpty(result, operation) ? empty + 1 : 0;
    if (param !== null && empty === MAX_EMPTY)
      throw new PaginationError(operation.id, `${MAX_EMPTY} pages in a row had no items`);
  } while (param !== null);
}

/** A page, and the way to the next one. */
interface ReadPage {
  readonly result: AnyResult;
  /**
   * Returns null on the last page.
   * @throws {PaginationError} when the next page is on another origin, or is this one.
   */
  readonly findNext: () => PageParam;
}

/**
 * Reads one page.
 * @throws {ResponseError} for a response that is not successful.
 */
export async function readPage(
  client: BareClient,
  operation: ClientOperation,
  options: PageInit = {},
  param: PageParam,
): Promise<ReadPage> {
  const { pages = {}, id } = operation;
  const { style = "link", parameter = "", first = 1 } = pages;
  const isLink = style === "link";
  const value = param ?? options.query?.[parameter];
  const query = isLink ? options.query : { ...options.query, [parameter]: value };
  const target = isLink && param !== null ? String(param) : undefined;
  const { result: response, url } = await client[SEND](operation, { ...options, query }, target);
  const result = assertSuccess(id, response);
  const findNext = (): PageParam => {
    if (isCounted(operation)) {
      const { length } = findItems(result, operation);
      if (length === 0) return null;
      return style === "page" ? Number(value ?? first) + 1 : Number(value ?? 0) + length;
    }
    const found = findNextValue(result, pages);
    if (found === undefined) return null;
    const page = { base: result.response.url || url, url, param };
    const next = isLink ? toLink(id, found, page) : (found as PageParam);
    if (next === value || next === new URL(url).search) throw toLoopError(operation, next);
    return next;
  };
  return { result, findNext };
}

/** Tests for a page with the items of the page before: a service that ignores the parameter sends the first page for ever. */
export function isRepeated(
  operation: ClientOperation,
  page: Pick<AnyResult, "data">,
  before: Pick<AnyResult, "data">,
): boolean {
  if (!isCounted(operation)) return false;
  const items = findItems(page, operation);
  return items.length > 0 && JSON.stringify(items) === JSON.stringify(findItems(before, operation));
}

/** Tests for an operation whose pages are found by a number. */
function isCounted({ pages }: ClientOperation): boolean {
  return pages?.style === "offset" || pages?.style === "page";
}

function toLoopError({ id }: ClientOperation, next: PageParam): PaginationError {
  return new PaginationError(id, `${JSON.stringify(next)} is a page that came before`);
}

/**
 * Turns the URL of the next page into one relative to the first page: its query, after its path if that differs.
 * @param page Its `base` is the URL of the response, and `url` that of the request, to which `param` has led.
 * @throws {PaginationError} for another origin, which would receive the credentials.
 */
function toLink(
  id: string,
  next: unknown,
  page: { readonly base: string; readonly url: string; readonly param: PageParam },
): string {
  const target = URL.canParse(String(next), page.base) ? new URL(String(next), page.base) : undefined;
  const { origin, pathname } = new URL(page.url);
  if (target?.origin !== origin)
    throw new PaginationError(id, `${target?.origin ?? JSON.stringify(next)} is not ${origin}`);
  const isOfFirst = target.pathname === pathname && !String(page.param).startsWith("/");
  return (isOfFirst ? "" : target.pathname) + target.search;
}

/** Finds the URL or cursor of the next page; undefined on the last one. */
function findNextValue(
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

function remember(seen: Set<PageParam>, param: PageParam): void {
  const [oldest] = seen;
  if (seen.size === MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  seen.add(param);
}

function isEmpty(page: AnyResult, operation: ClientOperation): boolean {
  const found = findValue(page, operation);
  return Array.isArray(found) && found.length === 0;
}

function findItems(page: Pick<AnyResult, "data">, operation: ClientOperation): readonly unknown[] {
  const found = findValue(page, operation);
  if (Array.isArray(found)) return found;
  throw new PaginationError(operation.id, "the body has no array of items");
}

/** Finds the value at the place of the items. */
function findValue({ data }: Pick<AnyResult, "data">, { pages = {} }: ClientOperation): unknown {
  return parsePointer(pages.items ?? "").reduce<unknown>(getValue, data);
}
