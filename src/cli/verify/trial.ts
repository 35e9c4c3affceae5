import { ANSWER_CHECKS } from "./checks/answer-checks.js";
import type { CheckContext, Exchange, Finding } from "./checks/check.js";
import type { Draft } from "./draft.js";
import { freshen } from "./generate/freshen.js";
import { isVouched } from "./generate/vouched.js";
import { type Answer, toBodyText } from "./http/answer.js";
import type { Silence } from "./http/client.js";
import { type Credentials, GIVEN, type Proof, writeCredentials } from "./http/credentials.js";
import { toCurl } from "./http/curl.js";
import type { Session } from "./http/session.js";
import { tryWriteRequest, type WireRequest } from "./http/write-request.js";
import type { Creation } from "./creations.js";
import { createKnownThings, type KnownThings } from "./known-things.js";
import { createRedact } from "./redact.js";
import type { Failure, OperationResult } from "./result.js";
import type { Judge } from "./schema/judge.js";
import { isSame } from "../values/schema.js";
import { shrink } from "./shrink.js";
import { type Target, type TargetOperation, toLabel } from "./target.js";

export interface TrialOptions {
  readonly target: Target;
  readonly session: Session;
  readonly credentials: Credentials;
  readonly creations: readonly Creation[];
  /** Of the requests' schemas. */
  readonly requests: Judge;
  readonly responses: Judge;
  /** Without a trailing slash. */
  readonly base: string;
  readonly seed: number;
  /** Random requests for each operation and phase. */
  readonly runs: number;
}

/** A service on trial: sends requests, looks at what comes back, and keeps what was found. */
export interface Trial extends TrialOptions {
  readonly things: KnownThings;
  /**
   * Sends a request and checks its answer.
   * @returns undefined when it cannot be written, and when there was no answer.
   */
  try(draft: Draft, proof?: Proof): Promise<Exchange | undefined>;
  /** Tells of a finding that takes several requests; `exchanges` are those that show it. */
  tell(finding: Finding, exchanges: readonly Exchange[]): void;
  readonly failures: readonly Failure[];
  readonly results: readonly OperationResult[];
}

const SHOWN_BODY = 300;

export function createTrial(options: TrialOptions): Trial {
  const { target, session, credentials, base } = options;
  const things = createKnownThings(options.creations);
  const redact = createRedact(credentials);
  const found = new Map<string, Failure>();
  const vague = new Set<string>();
  const statuses = new Map<TargetOperation["id"], Record<string, number>>();
  const wires = new WeakMap<Answer, WireRequest>();
  const context: CheckContext = {
    target,
    responses: options.responses,
    isVouched: (draft) => isVouched(draft, target),
  };

  const send = async (draft: Draft, proof: Proof): Promise<Sent | undefined> => {
    const wire = await tryWriteRequest(draft, writeCredentials(draft.operation, target, credentials, proof));
    if (wire === undefined) return undefined;
    const answer = await session.send(wire);
    if (answer.status === undefined) return { draft, wire, findings: [toSilence(answer)] };
    wires.set(answer, wire);
    const exchange = { draft, answer };
    things.learn(exchange);
    return { draft, wire, exchange, findings: ANSWER_CHECKS.flatMap((check) => check(exchange, context)) };
  };

  /** What is told exactly need not be told vaguely. */
  const forgetVague = ({ check }: Finding, { id }: TargetOperation): void => {
    for (const [key, failure] of found) {
      if (failure.check === check && failure.operations.includes(id) && vague.delete(key)) found.delete(key);
    }
  };

  const keep = (
    finding: Finding,
    draft: Draft,
    curl: readonly string[],
    answer: Answer | undefined,
  ): void => {
    if (!finding.vague) forgetVague(finding, draft.operation);
    if (finding.vague) vague.add(toKey(finding, draft.operation));
    found.set(toKey(finding, draft.operation), {
      check: finding.check,
      message: redact(finding.message),
      phase: draft.phase,
      operations: [draft.operation.id],
      label: toLabel(draft.operation),
      curl: curl.map(redact),
      ...(answer && {
        answer: {
          status: answer.status,
          ...(answer.headers["content-type"] !== undefined && {
            contentType: answer.headers["content-type"],
          }),
          body: redact(toBodyText(answer)).slice(0, SHOWN_BODY),
        },
      }),
    });
  };

  /** Whether it is told already, if only of another operation. */
  const isKnown = (finding: Finding, { id }: TargetOperation): boolean => {
    const key = toKey(finding, { id });
    const known = found.get(key);
    const isOfIt = ({ check, operations }: Failure) => check === finding.check && operations.includes(id);
    if (finding.vague && [...found.values()].some(isOfIt)) return true;
    if (known !== undefined && !known.operations.includes(id)) {
      found.set(key, { ...known, operations: [...known.operations, id] });
    }
    return known !== undefined;
  };

  /** What is taken is told by 409, or by 422 beside 400, and says nothing of what was to be tried: it is tried again with other texts. */
  const sendFresh = async (draft: Draft, proof: Proof): Promise<Sent | undefined> => {
    const sent = await send(draft, proof);
    const status = sent?.exchange?.answer.status;
    const isTaken = status === 409 || (status === 422 && draft.operation.responses.has("400"));
    if (draft.expectation === "open" || !isTaken) return sent;
    const fresh = freshen(draft, session.sent, target, options.requests);
    return isSame(fresh.value, draft.value) ? sent : send(fresh, proof);
  };

  return {
    ...options,
    things,
    async try(tried, proof = GIVEN) {
      const sent = await sendFresh(tried, proof);
      if (sent === undefined) return undefined;
      const { exchange, draft } = sent;
      const { id } = draft.operation;
      // Methods that are not declared are tried too, and count for no operation.
      if (target.operations.includes(draft.operation)) {
        const counts = statuses.get(id) ?? {};
        const status = String(exchange?.answer.status ?? "none");
        statuses.set(id, { ...counts, [status]: (counts[status] ?? 0) + 1 });
      }
      for (const finding of sent.findings) {
        if (isKnown(finding, draft.operation)) continue;
        // At once, so that it is told even if there is no time left to make it smaller.
        keep(finding, draft, [toCurl(sent.wire, base)], exchange?.answer);
        await shrink({ draft, requests: options.requests }, async (smaller) => {
          const again = await sendFresh(smaller, proof);
          const same = again?.findings.find(
            (one) => toKey(one, draft.operation) === toKey(finding, draft.operation),
          );
          if (again === undefined || same === undefined) return false;
          keep(same, again.draft, [toCurl(again.wire, base)], again.exchange?.answer);
          return true;
        });
      }
      return exchange;
    },
    tell(finding, exchanges) {
      const last = exchanges.at(-1);
      if (last === undefined || isKnown(finding, last.draft.operation)) return;
      const lines = exchanges
        .flatMap(({ answer }) => wires.get(answer) ?? [])
        .map((wire) => toCurl(wire, base));
      keep(finding, last.draft, lines, last.answer);
    },
    get failures() {
      return [...found.values()];
    },
    get results() {
      return target.operations.map((operation) => ({
        id: operation.id,
        label: toLabel(operation),
        statuses: statuses.get(operation.id) ?? {},
      }));
    },
  };
}

interface Sent {
  readonly draft: Draft;
  readonly wire: WireRequest;
  readonly exchange?: Exchange;
  readonly findings: readonly Finding[];
}

function toSilence({ kind, message }: Silence): Finding {
  return { check: "no-answer", message: `There is no answer: ${message}`, detail: kind };
}

function toKey({ check, detail, shared }: Finding, { id }: Pick<TargetOperation, "id">): string {
  return shared ? `${check} ${detail}` : `${check} ${id} ${detail}`;
}
