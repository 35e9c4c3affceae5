import { isNode, type Node } from "tenon/core/document";
import { findNextLink, findResponse } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import { isSame } from "tenon/core/schema";
import { flatten } from "../../values/index.js";
import { makePredictable, makeValid, withoutOptional } from "../cases/index.js";
import { type Exchange, findLimit, toItems } from "../checks/index.js";
import { canAccess, getHeader, isSuccess, listShapes, type TestCase, toJson } from "../messages/index.js";
import { type Creation, listProperties, toPathValues } from "../run/creations.js";
import type { Run, RunPhase } from "../run/run.js";
import { checkDeleted, checkReplaced, UNRELATED } from "./changes.js";

/** Resources that are created; more when a page holds more. */
const LEAST = 5;
const MOST = 25;
/** Resources that are read one by one. */
const READ = 5;

/** Creates resources, then reads them, one by one and in the pages of the list. Replaces and deletes them, and reads them again. */
export const runSequences: RunPhase = async (operation, run) => {
  if (operation.method === "put") await checkReplaced(operation, run);
  if (operation.method === "delete") await checkDeleted(operation, run);
  for (const creation of run.creations.filter(({ create }) => create === operation)) {
    const [shape] = listShapes(operation);
    if (shape === undefined) continue;
    const wanted = Math.min(MOST, Math.max(LEAST, findPageLength(creation.list, run) + 2));
    const created: Exchange[] = [];
    for (const testCase of makeValid(operation, shape, { phase: "sequences", count: wanted }, run)) {
      const exchange = await run.test(makePredictable(withoutOptional(testCase), run.requests));
      if (exchange === undefined || !isSuccess(exchange.response.status)) continue;
      if (toPathValues(creation, exchange) === undefined) continue;
      created.push(exchange);
      if (created.length <= READ) await checkCreated(creation, exchange, run);
    }
    await checkPages(creation, created, run);
  }
};

/** Number of items on a page by default. */
function findPageLength(list: Operation | undefined, { requests }: Run): number {
  const limit = list && findLimit(list);
  const byDefault = limit && flatten(limit.schema, requests).default;
  return typeof byDefault === "number" ? byDefault : 0;
}

/** A created resource can be read, and is what the response to its creation said. */
async function checkCreated(creation: Creation, created: Exchange, run: Run): Promise<void> {
  const { read } = creation;
  const resource = toJson(created.response);
  const sent = created.testCase.value.body;
  if (isNode(sent) && isNode(resource)) compareSent(sent, resource, created, run);
  const [shape] = listShapes(read);
  if (shape === undefined || !canAccess(read, run.contract, run.credentials)) return;
  const [made] = makeValid(read, shape, { phase: "sequences", count: 1 }, run);
  if (made === undefined) return;
  const path = { ...made.value.path, ...toPathValues(creation, created) };
  const found = await run.test({ ...made, expectation: "open", value: { path } });
  if (found === undefined || UNRELATED.has(found.response.status)) return;
  const report = (message: string, detail: string) => {
    run.report({ check: "created", message, detail }, [created, found]);
  };
  if (!isSuccess(found.response.status)) {
    report(`The created resource cannot be read: the response is ${found.response.status}`, "unreadable");
    return;
  }
  const body = toJson(found.response);
  if (!isNode(body) || !isNode(sent) || !isNode(resource)) return;
  const declared = listDeclared(found, run);
  for (const name of Object.keys(sent)) {
    const [before, now] = [resource[name], body[name]];
    if (before === undefined || !declared.includes(name) || isSame(before, now)) continue;
    const shown = now === undefined ? "absent" : JSON.stringify(now);
    report(`"${name}" was ${JSON.stringify(before)} when created, but is ${shown} when read`, `${name} read`);
  }
}

/** Compares integers and booleans; a service may normalise a text. */
function compareSent(sent: Node, resource: Node, created: Exchange, run: Run): void {
  for (const [name, value] of Object.entries(sent)) {
    const now = resource[name];
    const isPlain = typeof value === "boolean" || Number.isInteger(value);
    if (!isPlain || now === undefined || typeof now !== typeof value || isSame(now, value)) continue;
    const message = `"${name}" was sent as ${JSON.stringify(value)}, but created as ${JSON.stringify(now)}`;
    run.report({ check: "created", message, detail: `${name} created` }, [created]);
  }
}

/** Properties that the contract declares for the resource when it is read. */
function listDeclared(
  { testCase: { operation }, response }: Exchange,
  { responses }: Run,
): readonly string[] {
  const declared = operation.responses.find(({ status }) => status === String(response.status));
  return declared === undefined ? [] : listProperties(declared, responses);
}

/** Longer lists are given up without a finding. */
const MOST_PAGES = 60;
const LIMIT = 7;
/** Names of parameters that choose a part of a list, where the contract does not say how to get the next one. */
const PARTS = /^(?:page|offset|skip|start|after|before|cursor|from|since|marker|page.?token)/i;

/** Checks the pages of the list of created resources, and notes whether it could. */
async function checkPages(creation: Creation, created: readonly Exchange[], run: Run): Promise<void> {
  const { list, member } = creation;
  if (list === undefined) return;
  const read = await readPages({ list, member }, created, run);
  run.notePages({ id: list.id, ...(typeof read === "string" ? { reason: read } : { pages: read }) });
}

/**
 * Reads the first page by default parameters, and all pages by `Link: <…>; rel="next"` (RFC 8288): they have every created
 * resource, once. A list without pages has to be complete.
 * @returns The number of pages, or the reason why not all were read.
 */
async function readPages(
  { list, member }: { readonly list: Operation; readonly member: string | undefined },
  created: readonly Exchange[],
  run: Run,
): Promise<number | string> {
  const [shape] = listShapes(list);
  const [made] = shape ? makeValid(list, shape, { phase: "sequences", count: 1 }, run) : [];
  if (made === undefined || member === undefined) return "its items cannot be identified";
  if (run.skipped.includes(list.id)) return "it was skipped";
  if (!canAccess(list, run.contract, run.credentials)) return "credentials are missing";
  if (list.parameters.some(({ in: location, required }) => location === "query" && required))
    return "a parameter of its query is required";
  const path = created[0]?.testCase.value.path ?? made.value.path;
  const value = { ...(path && { path }) };
  const first: TestCase = { ...made, expectation: "open", value };
  await run.test(first);

  const isLinked =
    findResponse(list.responses, 200)?.headers.some(({ name }) => name.toLowerCase() === "link") ?? false;
  const hasParts = list.parameters.some(({ name }) => PARTS.test(name));
  const limit = findLimit(list);
  if (!isLinked && (hasParts || limit !== undefined))
    return "its response 200 declares no Link header that leads to the next page";
  if (created.length === 0) return "no resource was created";
  const query = limit && isLinked && { query: { [limit.name]: LIMIT } };
  const walked = await walk({ ...first, value: { ...value, ...query } }, member, run);
  if (typeof walked === "string") return walked;
  const { seen, pages } = walked;
  for (const exchange of created) {
    const resource = toJson(exchange.response);
    const key = isNode(resource) ? JSON.stringify(resource[member]) : undefined;
    if (key === undefined || seen.has(key)) continue;
    const message = `The created resource with "${member}" ${key} is on none of the ${pages.length} pages`;
    run.report({ check: "pages", message, detail: "missing" }, [exchange, ...pages.slice(-1)]);
    break;
  }
  return pages.length;
}

/** @returns The reason why not all pages were read. */
async function walk(first: TestCase, member: string, run: Run) {
  const seen = new Set<string>();
  const pages: Exchange[] = [];
  const visited = new Set<string>();
  const report = (message: string, detail: string): string => {
    run.report({ check: "pages", message, detail }, pages.slice(-2));
    return "it has a mismatch";
  };
  let testCase = first;
  while (pages.length < MOST_PAGES) {
    const page = await run.test(testCase);
    if (page === undefined) return "there is no response";
    if (!isSuccess(page.response.status)) return `the response is ${page.response.status}`;
    pages.push(page);
    const items = toItems(toJson(page.response));
    if (items === undefined) return "a page has no list of items";
    for (const item of items) {
      const key = isNode(item) ? JSON.stringify(item[member]) : undefined;
      if (key === undefined) return `an item has no "${member}"`;
      if (seen.has(key)) return report(`"${member}" ${key} is on two pages, or twice on one`, "twice");
      seen.add(key);
    }
    const next = findNextLink(getHeader(page.response, "link") ?? "");
    if (next === undefined) return { seen, pages };
    if (!URL.canParse(next, BASE)) return report("The link to the next page is not a URL", "url");
    const { search } = new URL(next, BASE);
    if (visited.has(search)) return report("The links to next pages form a cycle", "cycle");
    visited.add(search);
    testCase = { ...first, value: { ...first.value, query: toQuery(search) } };
  }
  return `it has more than ${MOST_PAGES} pages`;
}

/** Only the query of the next page is read: no other address than the user's is called. */
const BASE = "http://localhost";

function toQuery(search: string): Readonly<Record<string, unknown>> {
  const pairs = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(pairs.keys())].map((name) => {
      const values = pairs.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
