import { isNode } from "tenon/core/document";
import { findResponse } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import { makeValid } from "../cases/index.js";
import { type Exchange, findLimit, toItems } from "../checks/index.js";
import {
  canAccess,
  findNextLink,
  getHeader,
  isSuccess,
  listShapes,
  type TestCase,
  toJson,
} from "../messages/index.js";
import type { Creation } from "../run/creations.js";
import type { Run } from "../run/run.js";

/** Longer lists are given up without a finding. */
const MOST_PAGES = 60;
const LIMIT = 7;
/** Names of parameters that choose a part of a list, where the contract does not say how to get the next one. */
const PARTS = /^(?:page|offset|skip|start|after|before|cursor|from|since|marker|page.?token)/i;

/**
 * Reads the first page by default parameters, and all pages by `Link: <…>; rel="next"` (RFC 8288): they have every created
 * resource, once. A list without pages has to be complete.
 */
export async function checkPages(
  { list, member }: Creation & { readonly list: Operation },
  created: readonly Exchange[],
  run: Run,
): Promise<void> {
  const [shape] = listShapes(list);
  if (shape === undefined || !canAccess(list, run.contract, run.credentials)) return;
  if (list.parameters.some(({ in: location, required }) => location === "query" && required)) return;
  const [made] = makeValid(list, shape, { phase: "sequences", count: 1 }, run);
  if (made === undefined) return;
  const path = created[0]?.testCase.value.path ?? made.value.path;
  const value = { ...(path && { path }) };
  const first: TestCase = { ...made, expectation: "open", value };
  await run.test(first);

  const isLinked =
    findResponse(list.responses, 200)?.headers.some(({ name }) => name.toLowerCase() === "link") ?? false;
  const hasParts = list.parameters.some(({ name }) => PARTS.test(name));
  const limit = findLimit(list);
  if (!isLinked && (hasParts || limit !== undefined)) return;
  const walked = await walk(
    { ...first, value: { ...value, ...(limit && isLinked && { query: { [limit.name]: LIMIT } }) } },
    member,
    run,
  );
  if (walked === undefined) return;
  for (const exchange of created) {
    const resource = toJson(exchange.response);
    const key = isNode(resource) ? JSON.stringify(resource[member]) : undefined;
    if (key === undefined || walked.seen.has(key)) continue;
    const message = `The created resource with "${member}" ${key} is on none of the ${walked.pages.length} pages`;
    run.report({ check: "pages", message, detail: "missing" }, [exchange, ...walked.pages.slice(-1)]);
    return;
  }
}

interface Walk {
  readonly seen: ReadonlySet<string>;
  readonly pages: readonly Exchange[];
}

/** @returns undefined when there are too many pages, or another finding. */
async function walk(first: TestCase, member: string, run: Run): Promise<Walk | undefined> {
  const seen = new Set<string>();
  const pages: Exchange[] = [];
  const visited = new Set<string>();
  let testCase = first;
  while (pages.length < MOST_PAGES) {
    const page = await run.test(testCase);
    if (page === undefined || !isSuccess(page.response.status)) return undefined;
    pages.push(page);
    const items = toItems(toJson(page.response));
    if (items === undefined) return undefined;
    for (const item of items) {
      const key = isNode(item) ? JSON.stringify(item[member]) : undefined;
      if (key === undefined) return undefined;
      if (seen.has(key)) {
        const message = `"${member}" ${key} is on two pages, or twice on one`;
        run.report({ check: "pages", message, detail: "twice" }, pages.slice(-2));
        return undefined;
      }
      seen.add(key);
    }
    const next = findNext(page);
    if (next === undefined) return { seen, pages };
    if (visited.has(next)) {
      run.report(
        { check: "pages", message: "The links to next pages form a cycle", detail: "cycle" },
        pages.slice(-2),
      );
      return undefined;
    }
    visited.add(next);
    testCase = { ...first, value: { ...first.value, query: toQuery(next) } };
  }
  return undefined;
}

/** The query of the next page. Its host and path are ignored: only the user's address is called. */
function findNext({ response }: Exchange): string | undefined {
  const address = findNextLink(getHeader(response, "link") ?? "");
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
