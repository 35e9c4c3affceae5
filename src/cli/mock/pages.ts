import { isNode, type Node } from "tenon/core/document";
import { toPlain } from "../values/index.js";
import { type MockResponse, type ResponseMaker, withoutMember } from "./make-response.js";

/** Query parameters that name the page to send, without case and punctuation. */
const CURSORS = /^((page|next)?(cursor|token)|continuation(token)?|after|startingafter|marker)$/;

/** Members that point to the next page. */
const NEXT = /^(next|end)(page)?(cursor|token|link|url)?$|^continuation(token)?$/;

/** Members that are true where there is a next page. */
const HAS_MORE = /^has(more|next|nextpage)$/;

/** Objects that contain such members. */
const PARTS = new Set(["links", "meta", "metadata", "page", "pageinfo", "pagination", "paging"]);

/**
 * Ends a list: the page that a cursor names is the last one, so that a client that loads all pages stops. What points to the next
 * page is left out, or null, where the response stays valid.
 * @param query The request's query parameters.
 */
export function endList(response: MockResponse, query: Node, maker: ResponseMaker): MockResponse {
  const isNext = Object.keys(query).some((name) => CURSORS.test(toPlain(name)));
  if (!isNext || response.status >= 300) return response;
  const others = Object.entries(response.headers).filter(([name, value]) => !isNextLink(name, value));
  const unlinked = { ...response, headers: Object.fromEntries(others) };
  const last = maker.isValid(unlinked) ? unlinked : response;
  const { content } = last;
  if (content === undefined || !isNode(content.body)) return last;
  const toLast = (body: Node) => ({ ...last, content: { ...content, body } });
  return toLast(endBody(content.body, (body) => maker.isValid(toLast(body))));
}

function isNextLink(name: string, value: unknown): boolean {
  return name.toLowerCase() === "link" && /\brel="?next\b/i.test(String(value));
}

function endBody(body: Node, isValid: (body: Node) => boolean): Node {
  let ended = body;
  for (const [name, value] of Object.entries(body)) {
    const plain = toPlain(name);
    if (PARTS.has(plain) && isNode(value)) {
      const part = endBody(value, (inner) => isValid({ ...ended, [name]: inner }));
      ended = { ...ended, [name]: part };
    }
    const choices = HAS_MORE.test(plain)
      ? [{ ...ended, [name]: false }]
      : NEXT.test(plain)
        ? [withoutMember(ended, name), { ...ended, [name]: null }]
        : [];
    ended = choices.find(isValid) ?? ended;
  }
  return ended;
}
