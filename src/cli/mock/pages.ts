import { getOwn, isNode, type Node } from "tenon/core/document";
import { findResponse } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import { flatten, type SchemaView, toPlain } from "../values/index.js";
import { findJson, type MockResponse, type ResponseMaker, withoutMember } from "./make-response.js";

/** Query parameters that name the page to send, without case and punctuation. */
const CURSORS = /^((page|next)?(cursor|token)|continuation(token)?|after|startingafter|marker)$/;

/** Query parameters that limit the length of a page. */
const LIMITS = /^(limit|first|top|perpage|(max)?pagesize|max(results|items))$/;

/** Members that point to the next page. */
const NEXT = /^(next|end)(page)?(cursor|token|link|url)?$|^continuation(token)?$/;

/** Members that are true where there is a next page. */
const HAS_MORE = /^has(more|next|nextpage)$/;

/** Objects that contain such members. */
const PARTS = new Set(["links", "meta", "metadata", "page", "pageinfo", "pagination", "paging"]);

/** Length of a page whose operation has a cursor and no limit. */
const USUAL_LENGTH = 20;

/** Tests whether a query parameter chooses a page, and no items. */
export function isPaging(name: string): boolean {
  return [CURSORS, LIMITS].some((names) => names.test(toPlain(name)));
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The parameter and value that choose the next page; undefined for the last one. */
  readonly next?: { readonly parameter: string; readonly cursor: unknown };
}

/**
 * Takes the page that a request asks for, by the cursor and the limit that its operation declares. The cursor is the identifier of
 * the last item before the page; after an unknown one there is nothing.
 */
export function takePage<Item>(
  items: readonly Item[],
  { parameters }: Operation,
  query: Node,
  toId: (item: Item) => unknown,
): Page<Item> {
  const names = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  const parameter = names.find((name) => CURSORS.test(toPlain(name)));
  const limits = names.filter((name) => LIMITS.test(toPlain(name))).map((name) => query[name]);
  const [limit] = limits.filter((value) => typeof value === "number");
  const cursor = parameter === undefined ? undefined : (query[parameter] as string | number | undefined);
  const at = cursor === undefined ? -1 : items.findIndex((item) => String(toId(item)) === String(cursor));
  const start = cursor !== undefined && at < 0 ? items.length : at + 1;
  const end = start + Math.max(0, limit ?? (parameter === undefined ? items.length : USUAL_LENGTH));
  const page = items.slice(start, end);
  const last = page.at(-1);
  const isLast = end >= items.length || parameter === undefined || last === undefined;
  return { items: page, ...(!isLast && { next: { parameter, cursor: toId(last) } }) };
}

/**
 * Ends a list: the page that a cursor names is the last one, so that a client that loads all pages stops.
 * @param query The request's query parameters.
 */
export function endList(response: MockResponse, query: Node, maker: ResponseMaker): MockResponse {
  const isNext = Object.keys(query).some((name) => CURSORS.test(toPlain(name)));
  return isNext && response.status < 300 ? endPage(response, maker) : response;
}

/** Makes a page the last one. What points to the next page is left out, or null, where the response stays valid. */
export function endPage(response: MockResponse, maker: ResponseMaker): MockResponse {
  const others = Object.entries(response.headers).filter(([name, value]) => !isNextLink(name, value));
  const unlinked = { ...response, headers: Object.fromEntries(others) };
  return changeBody(maker.isValid(unlinked) ? unlinked : response, maker, {
    hasMore: false,
    point: (body, name) => [withoutMember(body, name), { ...body, [name]: null }],
  });
}

interface Following {
  readonly operation: Operation;
  readonly next: NonNullable<Page<unknown>["next"]>;
  /** Address of the request. */
  readonly url: URL;
  readonly view: SchemaView;
  readonly maker: ResponseMaker;
}

/** Makes a page point to the next one, with the members and the `Link` header that its operation declares. */
export function continuePage(
  response: MockResponse,
  { operation, next: { parameter, cursor }, url, view, maker }: Following,
): MockResponse {
  const following = new URL(url);
  following.searchParams.set(parameter, String(cursor));
  const target = following.pathname + following.search;
  const declared = findResponse(operation.responses, response.status);
  const link = declared?.headers.find(({ name }) => name.toLowerCase() === "link");
  const headers = { ...response.headers, ...(link && { [link.name]: `<${target}>; rel="next"` }) };
  const linked = { ...response, headers };
  return changeBody(maker.isValid(linked) ? linked : response, maker, {
    hasMore: true,
    point: (body, name) => {
      const isUrl = /(?:link|url)$/.test(toPlain(name)) || /^(?:https?:\/)?\//.test(String(body[name]));
      const values = isUrl ? [target, following.href] : [cursor, String(cursor), target, following.href];
      return values.map((value) => ({ ...body, [name]: value }));
    },
    schema: findJson(declared?.mediaTypes ?? [])?.schema,
    view,
  });
}

function isNextLink(name: string, value: unknown): boolean {
  return name.toLowerCase() === "link" && /\brel="?next\b/i.test(String(value));
}

/** How the members change that say whether there is a next page. */
interface MemberChange {
  readonly hasMore: boolean;
  /** Lists bodies with another pointer to the next page, the best one first. */
  readonly point: (body: Node, name: string) => readonly Node[];
  /** Declares members that the body may lack. */
  readonly schema?: Schema | undefined;
  readonly view?: SchemaView;
}

function changeBody(response: MockResponse, maker: ResponseMaker, change: MemberChange): MockResponse {
  const { content } = response;
  if (content === undefined || !isNode(content.body)) return response;
  const toResponse = (body: Node) => ({ ...response, content: { ...content, body } });
  return toResponse(changeMembers(content.body, change, (body) => maker.isValid(toResponse(body))));
}

function changeMembers(body: Node, change: MemberChange, isValid: (body: Node) => boolean): Node {
  const { hasMore, point, schema, view } = change;
  const { properties = {} } = schema && view ? flatten(schema, view) : {};
  let changed = body;
  for (const name of new Set([...Object.keys(body), ...Object.keys(properties)])) {
    const [plain, value = {}] = [toPlain(name), body[name]];
    if (PARTS.has(plain) && isNode(value)) {
      const inner = { ...change, schema: getOwn(properties, name) };
      const part = changeMembers(value, inner, (one) => isValid({ ...changed, [name]: one }));
      if (part !== value) changed = { ...changed, [name]: part };
    }
    const choices = HAS_MORE.test(plain)
      ? [{ ...changed, [name]: hasMore }]
      : NEXT.test(plain)
        ? point(changed, name)
        : [];
    changed = choices.find(isValid) ?? changed;
  }
  return changed;
}
