import { setTimeout as wait } from "node:timers/promises";
import { isNode } from "tenon/core/document";
import { toMediaKind } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import { isSame, type Schema } from "tenon/core/schema";
import { flatten } from "../../values/index.js";
import { makePredictable, makeValid, withoutOptional } from "../cases/index.js";
import { type Exchange, readBody } from "../checks/index.js";
import {
  canAccess,
  isSuccess,
  listShapes,
  type RequestShape,
  type TestCase,
  toJson,
} from "../messages/index.js";
import type { Creation } from "../run/creations.js";
import type { Run } from "../run/run.js";

/** The resource may have been deleted since, or belong to someone else. */
export const UNRELATED: ReadonlySet<number> = new Set([401, 403, 410, 429, 501, 503]);

/** The service has accepted a change, and may apply it at any time (RFC 9110, section 15.3.3). */
const ACCEPTED = 202;

/** Milliseconds to wait between reads for a change that is not visible yet: a replica lags behind. */
const PAUSES = [20, 100, 500, 1500];

/** Replacements of an operation; one that the service refuses proves nothing. */
const REPLACEMENTS = 4;

/**
 * Checks that a successful PUT is stored: GET of the same path does not have the old representation. Compares members that the
 * contract declares on both sides. A member may keep its old value where the response to PUT shows that.
 */
export async function checkReplaced(operation: Operation, run: Run): Promise<void> {
  const read = findRead(operation, run);
  const shape = listShapes(operation).find(({ mediaType }) => toMediaKind(mediaType?.name ?? "") === "json");
  if (read === undefined || shape === undefined) return;
  const options = { phase: "sequences", count: REPLACEMENTS, full: true } as const;
  for (const made of makeValid(operation, shape, options, run)) {
    const testCase = withKnownId(makePredictable(withoutOptional(made), run.requests), run);
    if (run.requests.find(shape.schema, testCase.value) !== undefined) return;
    const before = await read(testCase);
    if (before === undefined || !isSuccess(before.response.status)) return;
    const replaced = await run.test(testCase);
    if (replaced === undefined || !isSuccess(replaced.response.status)) continue;
    if (replaced.response.status === ACCEPTED) return;
    const findOld = (now: Exchange) => findUnchanged({ shape, before, replaced, now }, run);
    const after = await readUntil(
      () => read(testCase),
      (now) => UNRELATED.has(now.response.status) || findOld(now) === undefined,
    );
    const old = after && findOld(after);
    if (old === undefined) continue;
    const message =
      old === "unreadable"
        ? `The replaced resource cannot be read: the response is ${after?.response.status ?? ""}`
        : `After PUT, ${old.map((member) => JSON.stringify(member)).join(", ")} has the old value when read`;
    run.report({ check: "replaced", message, detail: "" }, [before, replaced, ...(after ? [after] : [])]);
    return;
  }
}

/** How a resource is created whose id is in the body of PUT, not in the path: `PUT /pets` replaces what `POST /pets` creates. */
function findCreation(operation: Operation, { creations, requests }: Run): Creation | undefined {
  if (operation.method !== "put") return undefined;
  const members = listShapes(operation).flatMap(({ schema }) => {
    const body = flatten(schema, requests).properties?.["body"];
    return Object.keys((body && flatten(body, requests).properties) ?? {});
  });
  return creations.find(
    ({ create, member }) =>
      create.path === operation.path && member !== undefined && members.includes(member),
  );
}

/** Puts the id of something that exists into the body of PUT, if it belongs there. */
function withKnownId(testCase: TestCase, run: Run): TestCase {
  const { read, parameter, member } = findCreation(testCase.operation, run) ?? {};
  const { body } = testCase.value;
  if (read === undefined || parameter === undefined || member === undefined || !isNode(body)) return testCase;
  const { [parameter]: id } = run.resources.choose(read, 0);
  if (id === undefined) return testCase;
  return { ...testCase, value: { ...testCase.value, body: { ...body, [member]: id } } };
}

interface Replacement {
  readonly shape: RequestShape;
  readonly before: Exchange;
  readonly replaced: Exchange;
  readonly now: Exchange;
}

/** Finds the members that should have changed and did not; undefined when the replacement is stored. */
function findUnchanged(
  { shape, before, replaced, now }: Replacement,
  { requests, responses }: Run,
): "unreadable" | readonly string[] | undefined {
  if (!isSuccess(now.response.status)) return UNRELATED.has(now.response.status) ? undefined : "unreadable";
  const schema = readBody(now)?.schema;
  const sentSchema = flatten(shape.schema, requests).properties?.["body"];
  const [sent, shown] = [replaced.testCase.value.body, toJson(replaced.response)];
  const [old, found] = [toJson(before.response), toJson(now.response)];
  if (schema === undefined || sentSchema === undefined) return undefined;
  if (!isNode(sent) || !isNode(old) || !isNode(found)) return undefined;
  const changed = listMembers([sentSchema, requests], [schema, responses])
    // Without an old value, a member may be one that the service does not always show.
    .filter((name) => isScalar(sent[name]) && isScalar(old[name]) && !isAlike(sent[name], old[name]));
  const unchanged = changed.filter((name) => isSame(found[name], old[name]));
  if (unchanged.length === changed.length) return changed.length === 0 ? undefined : unchanged;
  const claimed = unchanged.filter((name) => isNode(shown) && isAlike(shown[name], sent[name]));
  return claimed.length === 0 ? undefined : claimed;
}

type View = readonly [schema: Schema, view: Run["requests"]];

/** Names of the members that two schemas declare, each on its side. */
function listMembers(...views: readonly [View, View]): readonly string[] {
  const [sent, read] = views.map(([schema, view]) => {
    const { properties = {} } = flatten(schema, view);
    // Neither readOnly nor writeOnly: the other side never has it.
    return Object.entries(properties).flatMap(([name, property]) =>
      view.registry.isAbsent(property, "request") || view.registry.isAbsent(property, "response")
        ? []
        : [name],
    );
  });
  return sent?.filter((name) => read?.includes(name)) ?? [];
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Tests whether values are the same after what services do to texts: they trim them and change their case. */
function isAlike(a: unknown, b: unknown): boolean {
  const normalize = (value: unknown) =>
    typeof value === "string" ? value.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase() : value;
  return isSame(normalize(a), normalize(b));
}

/** Checks that a successful DELETE deletes: GET of the same path is not successful any more. */
export async function checkDeleted(operation: Operation, run: Run): Promise<void> {
  const read = findRead(operation, run);
  const [shape] = listShapes(operation);
  // The path of a list, or of the only resource of its kind, has something to read afterwards.
  if (read === undefined || shape === undefined || !operation.path.endsWith("}")) return;
  const [made] = makeValid(operation, shape, { phase: "sequences", count: 1 }, run);
  if (made === undefined) return;
  const testCase = withoutOptional(made);
  const before = await read(testCase);
  if (before === undefined || !isSuccess(before.response.status)) return;
  // `/pets/{ownerId}`: a list may be empty.
  if (Array.isArray(toJson(before.response))) return;
  const deleted = await run.test(testCase);
  if (deleted === undefined || !isSuccess(deleted.response.status)) return;
  if (deleted.response.status === ACCEPTED) return;
  const after = await readUntil(
    () => read(testCase),
    ({ response }) => !isSuccess(response.status),
  );
  if (after === undefined || !isSuccess(after.response.status)) return;
  const message = `The deleted resource can still be read: the response is ${after.response.status}`;
  run.report({ check: "deleted", message, detail: "" }, [before, deleted, after]);
}

/**
 * Finds how to read what an operation changes: by GET of the same path, or of the path of the id in the body.
 * @returns undefined when there is no such operation.
 */
function findRead(
  operation: Operation,
  run: Run,
): ((changed: TestCase) => Promise<Exchange | undefined>) | undefined {
  const creation = findCreation(operation, run);
  const same = run.contract.operations.find(
    ({ method, path }) => method === "get" && path === operation.path,
  );
  const read = creation?.read ?? same;
  const shape = read && listShapes(read)[0];
  if (read === undefined || shape === undefined || !canAccess(read, run.contract, run.credentials))
    return undefined;
  const [made] = makeValid(read, shape, { phase: "sequences", count: 1 }, run);
  if (made === undefined) return undefined;
  const base = withoutOptional({ ...made, expectation: "open" });
  return ({ value: { path, body } }) => {
    const id =
      creation?.member !== undefined && isNode(body) ? { [creation.parameter]: body[creation.member] } : {};
    return run.test({ ...base, value: { ...base.value, path: { ...base.value.path, ...path, ...id } } });
  };
}

/** Reads until a change is visible, and for two seconds at most. @returns The last response. */
async function readUntil(
  read: () => Promise<Exchange | undefined>,
  isDone: (now: Exchange) => boolean,
): Promise<Exchange | undefined> {
  let now = await read();
  for (const pause of PAUSES) {
    if (now === undefined || isDone(now)) return now;
    await wait(pause);
    now = await read();
  }
  return now;
}
