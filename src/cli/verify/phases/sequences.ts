import { isNode, type Node } from "tenon/core/document";
import type { Operation } from "tenon/core/model";
import { isSame } from "tenon/core/schema";
import { makePredictable, makeValid } from "../cases/index.js";
import { type Exchange, findDefault, findLimit } from "../checks/index.js";
import { canAccess, isSuccess, listShapes, type TestCase, toJson } from "../messages/index.js";
import { type Creation, listProperties } from "../run/creations.js";
import type { Run, RunPhase } from "../run/run.js";
import { checkPages } from "./pages.js";

/** Resources that are created; more when a page holds more. */
const LEAST = 5;
const MOST = 25;
/** Resources that are read one by one. */
const READ = 5;

/** Creates resources, then reads them, one by one and in the pages of the list. */
export const runSequences: RunPhase = async (operation, run) => {
  for (const creation of run.creations.filter(({ create }) => create === operation)) {
    const [shape] = listShapes(operation);
    if (shape === undefined) continue;
    const wanted = Math.min(MOST, Math.max(LEAST, findPageLength(creation.list, run) + 2));
    const created: Exchange[] = [];
    for (const testCase of makeValid(operation, shape, { phase: "sequences", count: wanted }, run)) {
      const exchange = await run.test(makePredictable(withoutOptional(testCase), run.requests));
      if (exchange === undefined || !isSuccess(exchange.response.status)) continue;
      const resource = toJson(exchange.response);
      if (!isNode(resource) || resource[creation.member] === undefined) continue;
      created.push(exchange);
      if (created.length <= READ) await checkCreated(creation, exchange, run);
    }
    if (creation.list !== undefined) await checkPages({ ...creation, list: creation.list }, created, run);
  }
};

/** Number of items on a page by default. */
function findPageLength(list: Operation | undefined, { requests }: Run): number {
  const limit = list && findLimit(list);
  const byDefault = limit && findDefault(limit, requests);
  return typeof byDefault === "number" ? byDefault : 0;
}

/** Removes optional parameters: an idempotency key would create less. */
function withoutOptional(testCase: TestCase): TestCase {
  const required = testCase.operation.parameters.filter((one) => one.required || one.in === "path");
  const parts = Object.entries(testCase.value).map(([part, value]): [string, unknown] => {
    if (part === "body") return [part, value];
    const kept = Object.entries(value as object).filter(([name]) =>
      required.some((one) => one.in === part && one.name === name),
    );
    return [part, Object.fromEntries(kept)];
  });
  return { ...testCase, value: Object.fromEntries(parts) };
}

/** The resource may have been deleted since, or belong to someone else. */
const UNRELATED = new Set([401, 403, 410, 429, 501, 503]);

/** A created resource can be read, and is what the response to its creation said. */
async function checkCreated(
  { read, parameter, member }: Creation,
  created: Exchange,
  run: Run,
): Promise<void> {
  const resource = toJson(created.response);
  const sent = created.testCase.value.body;
  if (!isNode(resource)) return;
  if (isNode(sent)) compareSent(sent, resource, created, run);
  const [shape] = listShapes(read);
  if (shape === undefined || !canAccess(read, run.contract, run.credentials)) return;
  const [made] = makeValid(read, shape, { phase: "sequences", count: 1 }, run);
  if (made === undefined) return;
  const path = { ...made.value.path, ...created.testCase.value.path, [parameter]: resource[member] };
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
  if (!isNode(body) || !isNode(sent)) return;
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
