import { isLoopback } from "tenon/core/http";
import { type Contract, type Operation, type OutgoingRequest, toOperationLabel } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import { startReceiver } from "./callbacks/receiver.js";
import { createClient, createSession, Exhausted, type Limits } from "./http.js";
import { canAccess, listShapes, PHASES, toVariable } from "./messages/index.js";
import { RUN_PHASE } from "./phases/index.js";
import { isCostly } from "../patterns/index.js";
import { findLimit, findWholeSchema } from "./checks/index.js";
import { explainTooLarge, type SchemaView } from "../values/index.js";
import type { PagesResult, VerifyResult } from "./result.js";
import { createRun, type Run, type RunOptions } from "./run/run.js";
import { findCreations } from "./run/creations.js";
import { createValidator, type Validator } from "./validator.js";

export interface VerifyOptions extends Pick<RunOptions, "credentials" | "seed" | "runs"> {
  /** Address that the contract's paths are relative to: `http://localhost:3000/v1`. No other address is called. */
  readonly base: URL;
  readonly limits: Limits;
  /** Milliseconds to wait for a response. */
  readonly timeout: number;
  /** Milliseconds to wait for the callbacks of a request; 0 does not receive them. Default: 2,000. */
  readonly callbackTime?: number;
  /** Ids of the operations to test. Default: all. */
  readonly operations?: readonly string[];
  /** Ids of the operations that are never called, not even to create what others need. */
  readonly skipped?: readonly string[];
  /** Called with each step: `boundaries of createPet`. */
  readonly progress?: (step: string) => void;
}

/** Operations that create are first, so that there is something to read; those that delete are last. */
const ORDER = ["post", "get", "head", "query", "options", "trace"];
const LAST = ["put", "patch", "delete"];

/** Additional methods are in between. */
function toRank(method: string): number {
  const early = ORDER.indexOf(method);
  return early < 0 ? ORDER.length + 1 + LAST.indexOf(method) : early;
}

/**
 * Tests a running service against its contract. It creates, changes and deletes data.
 * @throws {Unreachable} when the service cannot be reached.
 */
export async function verify(contract: Contract, options: VerifyOptions): Promise<VerifyResult> {
  const { base, seed, runs, credentials, limits, timeout } = options;
  const { skipped = [], progress = () => undefined, callbackTime = 2_000 } = options;
  const start = Date.now();
  const mount = toMount(base, contract);
  const client = createClient(mount.url, timeout);
  const session = createSession(client, limits);
  const { registry } = contract;
  const requests = createValidator({ registry, side: "request", skipsPattern: isCostly });
  const responses = createValidator({ registry, side: "response", skipsPattern: isCostly });
  const outgoing = contract.operations.flatMap(({ callbacks }) => callbacks);
  const isReceiving = outgoing.length > 0 && callbackTime > 0;
  const receiver = isReceiving && isLoopback(base.hostname) ? await startReceiver() : undefined;
  const shown = base.href.replace(/\/+$/, "");
  const run = createRun({
    contract,
    session,
    credentials,
    skipped,
    creations: findCreations(contract),
    requests,
    responses,
    mount: mount.url.href.replace(/\/+$/, ""),
    basePath: mount.basePath,
    seed,
    runs,
    receiver,
    callbackTime,
  });
  const chosen = contract.operations
    .filter(({ id }) => !skipped.includes(id) && (options.operations?.includes(id) ?? true))
    .toSorted((a, b) => toRank(a.method) - toRank(b.method));
  const notes = skipped.length > 0 ? [`Skipped: ${skipped.join(", ")}.`] : [];
  try {
    progress("Reading schemas");
    // Operations that were not chosen may have to create resources.
    const shapes = contract.operations.flatMap(listShapes);
    await requests.prepare(shapes.map(({ schema }) => schema));
    await responses.prepare([
      ...contract.operations.flatMap(listResponseSchemas),
      ...outgoing.flatMap(listSentSchemas),
    ]);
    notes.push(...(await explainExamples(chosen, requests)));
    const stopped = await runPhases(chosen, run, progress);
    if (stopped !== undefined) notes.push(stopped);
  } finally {
    client.close();
    receiver?.close();
    requests.close();
    responses.close();
  }
  notes.unshift(...explainUntested(chosen, run));
  notes.push(...run.notes);
  if (isReceiving && receiver === undefined)
    notes.push("Callbacks were not received, because the service is on another machine.");
  const unreached = contract.operations.filter((one) => chosen.includes(one) && !isReached(one, run));
  const ids = new Set(chosen.map(({ id }) => id));
  return {
    title: contract.title,
    version: contract.version,
    base: shown,
    seed,
    requests: session.sent,
    time: Date.now() - start,
    failures: run.failures,
    operations: run.results.filter(({ id }) => ids.has(id)),
    unreached: unreached.map(({ id }) => id),
    pages: [...run.pages, ...listUncheckedPages(chosen, run)],
    notes,
  };
}

/** @returns The reason why it stopped early; undefined otherwise. */
async function runPhases(
  operations: readonly Operation[],
  run: Run,
  progress: (step: string) => void,
): Promise<string | undefined> {
  const { contract, credentials, session } = run;
  const needed = findNeeded(operations, run).map((operation) => ["examples", operation] as const);
  const chosen = PHASES.flatMap((phase) => operations.map((operation) => [phase, operation] as const));
  for (const [phase, operation] of [...needed, ...chosen]) {
    // Without credentials, only the refusal can be tested.
    if (phase !== "access" && !canAccess(operation, contract, credentials)) continue;
    const { length } = run.failures;
    progress(`${phase} of ${operation.id}, ${session.sent} requests, ${length} found`);
    try {
      await RUN_PHASE[phase](operation, run);
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
      return `Stopped at the phase "${phase}" of ${operation.id}: ${error.message}.`;
    }
  }
  return undefined;
}

/** Finds operations that were not chosen and create the resources of chosen ones. */
function findNeeded(chosen: readonly Operation[], { creations }: Run): readonly Operation[] {
  return creations
    .filter(({ create }) => !chosen.includes(create))
    .filter(({ read }) => chosen.some(({ path }) => path === read.path || path.startsWith(`${read.path}/`)))
    .map(({ create }) => create);
}

export function listResponseSchemas({ responses }: Operation): readonly Schema[] {
  return responses.flatMap(({ mediaTypes, headers }) => [
    ...mediaTypes.flatMap((mediaType) => findWholeSchema(mediaType) ?? []),
    ...headers.map(({ schema }) => schema),
  ]);
}

/** Lists the schemas of the requests that the service sends. */
function listSentSchemas({ parameters, requestBody }: OutgoingRequest): readonly Schema[] {
  return [
    ...parameters.map(({ schema }) => schema),
    ...(requestBody?.mediaTypes ?? []).flatMap((mediaType) => findWholeSchema(mediaType) ?? []),
  ];
}

/** Explains that examples of requests were not sent, because they are invalid. */
async function explainExamples(
  operations: readonly Operation[],
  requests: Validator,
): Promise<readonly string[]> {
  const shapes = operations.flatMap(listShapes).map(({ schema }) => schema);
  const schemas = [...requests.registry.walk(shapes)].filter(({ examples = [] }) => examples.length > 0);
  await requests.prepare(schemas);
  const invalid = new Map(
    schemas.flatMap((schema) =>
      (schema.examples ?? []).flatMap((example): [string, string][] => {
        const violation = requests.find(schema, example);
        return violation === undefined
          ? []
          : [
              [
                `${schema.pointer} ${JSON.stringify(example)}`,
                `An example at ${schema.pointer} is invalid and was not sent: ${violation.message}.`,
              ],
            ];
      }),
    ),
  );
  const [first, ...others] = invalid.values();
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` ${others.length} other examples are invalid, too.`;
  return [`${first}${more} \`tenon lint\` shows the line.`];
}

function explainUntested(operations: readonly Operation[], run: Run): readonly string[] {
  const { contract, credentials, requests, results } = run;
  return operations.flatMap((operation) => {
    const { id, security } = operation;
    const label = `${id} (${toOperationLabel(operation)})`;
    if (!canAccess(operation, contract, credentials)) {
      const [required = {}] = security;
      const names = Object.keys(required);
      const how = names.map((name) => `--auth ${name}=… or ${toVariable(name)}`).join(" and ");
      return [`${label} was only tested without credentials. To test it, give ${how}.`];
    }
    if (listShapes(operation).length === 0)
      return [`${label} was not tested: requests of its media types cannot be written.`];
    const tooLarge = explainParts(operation, requests);
    if (tooLarge.length > 0)
      return [`${label} was not fully tested, because requests would be too large: ${tooLarge.join("; ")}.`];
    const { statuses = {} } = results.find((result) => result.id === id) ?? {};
    if (isReached(operation, run) || Object.keys(statuses).length === 0) return [];
    return [`${label} never succeeded; its responses were ${Object.keys(statuses).join(", ")}.`];
  });
}

/** Tests whether an operation has succeeded: with 2xx, or with 3xx where it declares no 2xx. A stub cannot succeed. */
function isReached({ id, stub, responses }: Operation, { results }: Run): boolean {
  const { statuses = {} } = results.find((result) => result.id === id) ?? {};
  const success = responses.some(({ status }) => status.startsWith("2")) ? /^2/ : /^[23]/;
  return stub || Object.keys(statuses).some((status) => success.test(status));
}

/** Lists whose pages were not read, because nothing was created in them. */
function listUncheckedPages(operations: readonly Operation[], run: Run): readonly PagesResult[] {
  return operations.flatMap((operation) => {
    const { create } = run.creations.find(({ list }) => list === operation) ?? {};
    const isList = create !== undefined || findLimit(operation) !== undefined;
    if (!isList || run.pages.some(({ id }) => id === operation.id)) return [];
    const reason = create ? `${create.id} was not tested` : "no operation creates its items";
    return [{ id: operation.id, reason }];
  });
}

/** Explains which parts of an operation's requests are too large to be generated. */
function explainParts(operation: Operation, view: SchemaView): readonly string[] {
  const parts = listShapes(operation).flatMap(({ schema }) => Object.values(schema.properties ?? {}));
  return [...new Set(parts.flatMap((schema) => explainTooLarge(schema, view) ?? []))];
}

/** Separates the base path from an address, because an operation with its own servers has another one. */
function toMount(base: URL, contract: Contract) {
  const path = base.pathname.replace(/\/+$/, "");
  const isUsual = path.endsWith(contract.basePath);
  const basePath = isUsual ? contract.basePath : path;
  return { url: new URL(`${path.slice(0, path.length - basePath.length)}/`, base), basePath };
}
