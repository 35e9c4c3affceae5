import { type Contract, findOwnBasePath, type Operation, toOperationLabel } from "tenon/core/model";
import { isSame } from "tenon/core/schema";
import { toCurl } from "../../output/curl.js";
import { type CaseContext, freshen, isPredictable, shrink } from "../cases/index.js";
import { declares, type Exchange, type Finding, RESPONSE_CHECKS } from "../checks/index.js";
import type { Receiver } from "../callbacks/receiver.js";
import type { Session } from "../http.js";
import {
  type Authentication,
  type Credentials,
  type ServiceResponse,
  type TestCase,
  tryWriteRequest,
  type WireRequest,
  writeCredentials,
} from "../messages/index.js";
import type { Failure, OperationResult, PagesResult } from "../result.js";
import type { Validator } from "../validator.js";
import { createCreatedResources, type Creation } from "./creations.js";
import { createEntityTags } from "./entity-tags.js";
import { createFailures, toFindingKey } from "./failures.js";

export interface RunOptions {
  readonly contract: Contract;
  readonly session: Session;
  readonly credentials: Credentials;
  /** Ids of the operations that are never called. */
  readonly skipped: readonly string[];
  readonly creations: readonly Creation[];
  readonly requests: Validator;
  readonly responses: Validator;
  /** Address that base paths are relative to, without a trailing slash. */
  readonly mount: string;
  /** Base path of operations without their own servers. */
  readonly basePath: string;
  readonly seed: number;
  /** Random requests for each operation and phase. */
  readonly runs: number;
  /** Undefined if callbacks are not received. */
  readonly receiver: Receiver | undefined;
  /** Milliseconds to wait for the callbacks of a request. */
  readonly callbackTime: number;
}

/** A run of test cases: sends requests, checks the responses and keeps the findings. */
export interface Run extends RunOptions, CaseContext {
  /**
   * Sends a request and checks its response.
   * @returns undefined when the request cannot be written, and when there is no response.
   */
  test(testCase: TestCase, authentication?: Authentication): Promise<Exchange | undefined>;
  /** Reports a finding that takes several requests. */
  report(finding: Finding, exchanges: readonly Exchange[]): void;
  /** Notes what became of the check of a list's pages. */
  notePages(result: PagesResult): void;
  /** Explains what was not tested. */
  note(text: string): void;
  readonly notes: readonly string[];
  readonly failures: readonly Failure[];
  readonly pages: readonly PagesResult[];
  readonly results: readonly OperationResult[];
}

/** Tests one operation in one way. */
export type RunPhase = (operation: Operation, run: Run) => Promise<void>;

interface Sent {
  readonly testCase: TestCase;
  readonly wire: WireRequest;
  readonly exchange?: Exchange;
  readonly findings: readonly Finding[];
}

export function createRun(options: RunOptions): Run {
  const { contract, mount, requests } = options;
  const resources = createCreatedResources(options.creations);
  const failures = createFailures(options.credentials);
  const counts = new Map<Operation, Record<string, number>>(contract.operations.map((one) => [one, {}]));
  const pages = new Map<string, PagesResult>();
  const notes: string[] = [];
  const wires = new WeakMap<ServiceResponse, WireRequest>();
  const send = createSend({ ...options, resources }, (exchange, wire) => {
    wires.set(exchange.response, wire);
    resources.learn(exchange);
  });

  const keep = (finding: Finding, { testCase, wire, exchange }: Sent) => {
    failures.keep(finding, { testCase, curl: [toCurl(wire, mount)], response: exchange?.response });
  };

  return {
    ...options,
    resources,
    async test(given, authentication) {
      if (options.skipped.includes(given.operation.id)) return undefined;
      const sent = await send(given, authentication);
      if (sent === undefined) return undefined;
      const { testCase } = sent;
      // Undeclared methods are tested, too, and are not an operation's.
      const known = counts.get(testCase.operation);
      const status = sent.exchange?.response.status ?? "none";
      if (known) known[status] = (known[status] ?? 0) + 1;
      for (const finding of sent.findings) {
        if (!failures.add(finding, testCase)) continue;
        // It is kept now in case there is no time left to shrink it.
        keep(finding, sent);
        const key = toFindingKey(finding, testCase.operation);
        await shrink(testCase, requests, async (smaller) => {
          const again = await send(smaller, authentication);
          const same = again?.findings.find((one) => toFindingKey(one, testCase.operation) === key);
          if (again === undefined || same === undefined) return false;
          keep(same, again);
          return true;
        });
      }
      return sent.exchange;
    },
    report(finding, exchanges) {
      const last = exchanges.at(-1);
      if (last === undefined || !failures.add(finding, last.testCase)) return;
      const sent = exchanges.flatMap(({ response }) => wires.get(response) ?? []);
      failures.keep(finding, { ...last, curl: sent.map((wire) => toCurl(wire, mount)) });
    },
    notePages: (result) => pages.set(result.id, result),
    note: (text) => notes.push(text),
    notes,
    get failures() {
      return failures.list();
    },
    get pages() {
      return [...pages.values()];
    },
    get results() {
      return [...counts].map(([operation, statuses]) => ({
        id: operation.id,
        label: toOperationLabel(operation),
        statuses: { ...statuses },
      }));
    },
  };
}

/** Creates the function that sends a request and checks its response. */
function createSend(
  options: RunOptions & CaseContext,
  onResponse: (exchange: Exchange, wire: WireRequest) => void,
): (testCase: TestCase, authentication?: Authentication) => Promise<Sent | undefined> {
  const { contract, session, credentials, requests, responses, basePath } = options;
  const entityTags = createEntityTags({
    ...options,
    read: async (testCase) => (await sendOnce(testCase))?.exchange,
  });
  const context = {
    basePath: contract.basePath,
    requests,
    responses,
    isPredictable: (testCase: TestCase) => isPredictable(testCase, requests),
  };

  const sendOnce = async (testCase: TestCase, authentication?: Authentication): Promise<Sent | undefined> => {
    const secrets = writeCredentials(testCase.operation, contract, credentials, authentication);
    const written = await tryWriteRequest(testCase, secrets);
    if (written === undefined) return undefined;
    const below = findOwnBasePath(testCase.operation, contract) ?? basePath;
    const wire = { ...written, path: below + written.path, shownPath: below + written.shownPath };
    const response = await session.send(wire);
    if (response.status === undefined) {
      const { kind, message } = response;
      const text = `There is no response: ${message}`;
      return { testCase, wire, findings: [{ check: "no-answer", message: text, detail: kind }] };
    }
    const exchange = { testCase, response };
    onResponse(exchange, wire);
    entityTags.learn(exchange);
    const findings = RESPONSE_CHECKS.flatMap((check) => check(exchange, context));
    return { testCase, wire, exchange, findings };
  };

  return async (given, authentication) => {
    const testCase = await entityTags.add(given);
    const sent = await sendOnce(testCase, authentication);
    const status = sent?.exchange?.response.status;
    // The tag is missing or outdated: the response says nothing about the test case.
    if (status === 428 || status === 412) {
      const tagged = await entityTags.add(given);
      const isNew = !isSame(tagged.value, testCase.value) && sent?.findings.length === 0;
      return isNew ? sendOnce(tagged, authentication) : sent;
    }
    // The name of a resource is taken: the response says nothing about the test case, which gets other texts.
    const isTaken = status === 409 || (status === 422 && declares(testCase.operation, 400));
    if (testCase.expectation === "open" || !isTaken) return sent;
    const fresh = freshen(testCase, session.sent, requests);
    return isSame(fresh.value, testCase.value) ? sent : sendOnce(fresh, authentication);
  };
}
