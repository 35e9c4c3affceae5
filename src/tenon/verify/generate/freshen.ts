import type { Draft } from "../draft.js";
import type { Judge } from "../schema/judge.js";
import { isSame } from "../schema/schema.js";
import type { Target } from "../target.js";
import { findSites, replaceAt } from "./sites.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * The same request with other texts of the same lengths in its body, for a service in which a name is taken once.
 * @param count Different for each request.
 */
export function freshen(draft: Draft, count: number, { requests: book }: Target, requests: Judge): Draft {
  const { schema } = draft.shape;
  const before = requests.find(schema, draft.value);
  let value: unknown = draft.value;
  for (const { path, schema: site, value: text } of findSites(book.get(schema), draft.value, book)) {
    if (path[0] !== "body" || typeof text !== "string" || site.enum !== undefined) continue;
    if (draft.wrong !== undefined && draft.expectation === "refused" && isSame(draft.wrong.path, path))
      continue;
    const fresh = replaceAt(value, path, toText(Array.from(text).length, count));
    const after = requests.find(schema, fresh);
    if (after?.at === before?.at && after?.keyword === before?.keyword) value = fresh;
  }
  return { ...draft, value: value as Draft["value"] };
}

/** The count in letters, its last digits first, over and over. */
function toText(length: number, count: number): string {
  let [text, rest] = ["", count];
  while (text.length < length) {
    text += LETTERS[rest % LETTERS.length] ?? "";
    rest = Math.floor(rest / LETTERS.length) || count + text.length;
  }
  return text;
}
