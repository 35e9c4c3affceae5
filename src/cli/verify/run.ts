import { findCreations } from "./creations.js";
import { type Phase, PHASES } from "./draft.js";
import { createClient } from "./http/client.js";
import { canEnter, type Credentials, toVariable } from "./http/credentials.js";
import { createSession, Exhausted, type Limits } from "./http/session.js";
import { runAccess } from "./phases/access.js";
import { runBoundaries } from "./phases/boundaries.js";
import { runExamples } from "./phases/examples.js";
import type { PhaseRun } from "./phases/phase.js";
import { runInvalid, runValid } from "./phases/random.js";
import { runSequences } from "./phases/sequences.js";
import type { VerifyResult } from "./result.js";
import { createJudge } from "./schema/judge.js";
import { type Target, type TargetOperation, toLabel } from "./target.js";
import { createTrial, type Trial } from "./trial.js";

export interface VerifyOptions {
  /** Address that the contract's paths are below: `http://localhost:3000/v1`. Nothing else is talked to. */
  readonly base: URL;
  readonly seed: number;
  /** Random requests for each operation and phase. */
  readonly runs: number;
  readonly limits: Limits;
  /** Milliseconds until an answer is late. */
  readonly timeout: number;
  readonly credentials: Credentials;
  /** Ids of those that are tried. Default: all. */
  readonly operations?: readonly string[];
  /** Is told what is tried: `boundaries of createPet`. */
  readonly progress?: (step: string) => void;
}

const RUNS: Readonly<Record<Phase, PhaseRun>> = {
  examples: runExamples,
  boundaries: runBoundaries,
  access: runAccess,
  valid: runValid,
  invalid: runInvalid,
  sequences: runSequences,
};

/** What creates comes first, so that there is something to read; what deletes comes last. */
const ORDER = ["post", "get", "head", "options", "trace", "put", "patch", "delete"];

/**
 * Drives a service from its contract, and tells where the two part. It creates and changes data.
 * @throws {Unreachable} when nobody listens.
 */
export async function verify(target: Target, options: VerifyOptions): Promise<VerifyResult> {
  const { base, seed, runs, credentials, limits, timeout, progress = () => undefined } = options;
  const start = Date.now();
  const client = createClient({ base, timeout });
  const session = createSession(client, limits, Date.now);
  const [requests, responses] = [createJudge(target.requests), createJudge(target.responses)];
  const creations = findCreations(target);
  const shown = base.href.replace(/\/+$/, "");
  const trial = createTrial({
    target,
    session,
    credentials,
    creations,
    requests,
    responses,
    base: shown,
    seed,
    runs,
  });
  const chosen = target.operations
    .filter(({ id }) => options.operations?.includes(id) ?? true)
    .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
  const notes: string[] = [];
  try {
    progress("Reading schemas");
    // All of them: what was not chosen may have to create what is needed.
    await requests.prepare(target.operations.flatMap(({ shapes }) => shapes.map(({ schema }) => schema)));
    await responses.prepare(target.operations.flatMap(findResponseSchemas));
    await runPhases(chosen, trial, { notes, progress });
  } finally {
    client.close();
    requests.close();
    responses.close();
  }
  notes.unshift(...explainUntried(chosen, trial));
  const ids = new Set(chosen.map(({ id }) => id));
  return {
    title: target.title,
    version: target.version,
    base: shown,
    seed,
    requests: session.sent,
    time: Date.now() - start,
    failures: trial.failures,
    operations: trial.results.filter(({ id }) => ids.has(id)),
    notes,
  };
}

interface Told {
  readonly notes: string[];
  readonly progress: (step: string) => void;
}

async function runPhases(
  operations: readonly TargetOperation[],
  trial: Trial,
  { notes, progress }: Told,
): Promise<void> {
  const { credentials, session } = trial;
  const needed = findNeeded(operations, trial).map((operation) => ["examples", operation] as const);
  const chosen = PHASES.flatMap((phase) => operations.map((operation) => [phase, operation] as const));
  for (const [phase, operation] of [...needed, ...chosen]) {
    // Without credentials only this is of use: that nobody gets in.
    if (phase !== "access" && !canEnter(operation, trial.target, credentials)) continue;
    const { length } = trial.failures;
    progress(`${phase} of ${operation.id}, ${session.sent} requests, ${length} found`);
    try {
      await RUNS[phase](operation, trial);
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
      notes.push(`Stopped at the phase "${phase}" of ${operation.id}: ${error.message}.`);
      return;
    }
  }
}

/** Operations that were not chosen, and create what chosen ones are about. */
function findNeeded(chosen: readonly TargetOperation[], { creations }: Trial): readonly TargetOperation[] {
  return creations
    .filter(({ create }) => !chosen.includes(create))
    .filter(({ read }) => chosen.some(({ path }) => path === read.path || path.startsWith(`${read.path}/`)))
    .map(({ create }) => create);
}

function findResponseSchemas({ responses }: TargetOperation): readonly string[] {
  return [...responses.values()].flatMap(({ content, headers }) => [
    ...content.flatMap(({ schema }) => schema ?? []),
    ...headers.map(({ schema }) => schema),
  ]);
}

function explainUntried(
  operations: readonly TargetOperation[],
  { target, credentials, results }: Trial,
): readonly string[] {
  return operations.flatMap((operation) => {
    const { id, shapes, security, stub } = operation;
    const label = `${id} (${toLabel(operation)})`;
    if (!canEnter(operation, target, credentials)) {
      const [wanted = {}] = security;
      const names = Object.keys(wanted);
      const how = names.map((name) => `--auth ${name}=… or ${toVariable(name)}`).join(" and ");
      return [`${label} was only tried without credentials: give ${how}.`];
    }
    if (shapes.length === 0) return [`${label} was not tried: none of its media types can be written.`];
    const { statuses = {} } = results.find((result) => result.id === id) ?? {};
    const isGood = Object.keys(statuses).some((status) => /^[23]/.test(status));
    if (isGood || stub || Object.keys(statuses).length === 0) return [];
    return [`${label} never succeeded; its answers were ${Object.keys(statuses).join(", ")}.`];
  });
}
