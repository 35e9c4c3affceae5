import type { Creation } from "../creations.js";
import { makeValid } from "../drafts.js";
import type { Draft } from "../draft.js";
import { canEnter } from "../http/credentials.js";
import { findNextLink } from "../http/link.js";
import { isObject } from "../../values/schema.js";
import { findResponse, type TargetOperation } from "../target.js";
import type { Trial } from "../trial.js";
import { type Exchange, isSuccess, toJson } from "./check.js";
import { findLimit, toItems } from "./limit.js";

/** Longer walks are given up, and nothing is told. */
const MOST_PAGES = 60;
const LIMIT = 7;
/** Names of parameters that say which part of a list is wanted, where the contract does not say how to get the next one. */
const PARTS = /^(?:page|offset|skip|start|after|before|cursor|from|since|marker|page.?token)/i;

/**
 * The first page as it comes by default, and a walk over all pages by `Link: <…>; rel="next"` (RFC 8288): nothing twice, and
 * everything that was created. A list without pages has to be whole.
 */
export async function checkPages(
  { list, member }: Creation & { readonly list: TargetOperation },
  created: readonly Exchange[],
  trial: Trial,
): Promise<void> {
  const [shape] = list.shapes;
  if (shape === undefined || !canEnter(list, trial.target, trial.credentials)) return;
  const [made] = makeValid(list, shape, { phase: "sequences", count: 1 }, trial);
  if (made === undefined || list.parameters.some(({ in: place, required }) => place === "query" && required))
    return;
  const path = created[0]?.draft.value.path ?? made.value.path;
  const value = { ...(path && { path }) };
  const first: Draft = { ...made, expectation: "open", value };
  await trial.try(first);

  const isLinked =
    findResponse(list, 200)?.headers.some(({ name }) => name.toLowerCase() === "link") ?? false;
  const hasParts = list.parameters.some(({ name }) => PARTS.test(name));
  const limit = findLimit(list);
  if (!isLinked && (hasParts || limit !== undefined)) return;
  const walked = await walk(
    { ...first, value: { ...value, ...(limit && isLinked && { query: { [limit.name]: LIMIT } }) } },
    member,
    trial,
  );
  if (walked === undefined) return;
  for (const { answer, draft } of created) {
    const thing = toJson(answer);
    const key = isObject(thing) ? JSON.stringify(thing[member]) : undefined;
    if (key === undefined || walked.seen.has(key)) continue;
    const message = `What was created with "${member}" ${key} is in none of the ${walked.pages.length} pages`;
    trial.tell({ check: "pages", message, detail: "missing" }, [
      { answer, draft },
      ...walked.pages.slice(-1),
    ]);
    return;
  }
}

interface Walk {
  readonly seen: ReadonlySet<string>;
  readonly pages: readonly Exchange[];
}

/** @returns undefined when there is no end, or something else to tell. */
async function walk(first: Draft, member: string, trial: Trial): Promise<Walk | undefined> {
  const seen = new Set<string>();
  const pages: Exchange[] = [];
  const visited = new Set<string>();
  let draft = first;
  while (pages.length < MOST_PAGES) {
    const page = await trial.try(draft);
    if (page === undefined || !isSuccess(page.answer.status)) return undefined;
    pages.push(page);
    const items = toItems(toJson(page.answer));
    if (items === undefined) return undefined;
    for (const item of items) {
      const key = isObject(item) ? JSON.stringify(item[member]) : undefined;
      if (key === undefined) return undefined;
      if (seen.has(key)) {
        const message = `"${member}" ${key} is on two pages, or twice on one`;
        trial.tell({ check: "pages", message, detail: "twice" }, pages.slice(-2));
        return undefined;
      }
      seen.add(key);
    }
    const next = findNext(page);
    if (next === undefined) return { seen, pages };
    if (visited.has(next)) {
      trial.tell(
        { check: "pages", message: `The next page leads in a circle`, detail: "circle" },
        pages.slice(-2),
      );
      return undefined;
    }
    visited.add(next);
    draft = { ...first, value: { ...first.value, query: toQuery(next) } };
  }
  return undefined;
}

/** The query of the next page; the host and path of its address are nobody's business but the user's. */
function findNext({ answer }: Exchange): string | undefined {
  const link = answer.headers["link"];
  const address = findNextLink(Array.isArray(link) ? link.join(", ") : (link ?? ""));
  return address === undefined ? undefined : new URL(address, "http://localhost").search;
}

function toQuery(search: string): Readonly<Record<string, unknown>> {
  const pairs = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(pairs.keys())].map((name) => {
      const values = pairs.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
