import type { Draft, Wrong } from "../draft.js";
import type { Judge } from "../schema/judge.js";
import { isSame } from "../../values/schema.js";
import type { Target } from "../target.js";
import { findSites, replaceAt, type Site } from "./sites.js";
import { isOpen } from "./vouched.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * The same request with other texts of the same lengths in its body, and without keys that it can do without, for a service in
 * which a name is taken once, or a key is.
 * @param count Different for each request.
 */
export function freshen(draft: Draft, count: number, { requests: book }: Target, requests: Judge): Draft {
  const { schema } = draft.shape;
  const before = requests.find(schema, draft.value);
  let value: unknown = draft.value;
  for (const site of findSites(book.get(schema), draft.value, book)) {
    const { path } = site;
    // What is tried out stays.
    if (draft.wrong !== undefined && isSame(draft.wrong.path, path) && !isLength(draft.wrong)) continue;
    const fresh = toFresh(site, count);
    if (fresh === undefined) continue;
    const changed = replaceAt(value, path, fresh.value);
    const after = requests.find(schema, changed);
    if (after?.at === before?.at && after?.keyword === before?.keyword) value = changed;
  }
  return { ...draft, value: value as Draft["value"] };
}

/** A text stays as long as it is. */
function isLength({ keyword }: Wrong): boolean {
  return keyword === "minLength" || keyword === "maxLength";
}

/** @returns undefined for what stays as it is. */
function toFresh(site: Site, count: number): { readonly value: string | undefined } | undefined {
  const { path, schema, value } = site;
  if (path[0] === "body") {
    const isFree = typeof value === "string" && schema.enum === undefined;
    return isFree ? { value: toText(Array.from(value).length, count) } : undefined;
  }
  return path[0] !== "path" && isOpen(site) ? { value: undefined } : undefined;
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
