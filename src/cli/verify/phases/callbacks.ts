import { parsePointer } from "tenon/core/document";
import { type Operation, type OutgoingOperation, toOutgoingOperations } from "tenon/core/model";
import { groupBy } from "../../generate/group-by.js";
import { checkCallback } from "../callbacks/check-callback.js";
import type { ReceivedRequest, Receiver, Reply } from "../callbacks/receiver.js";
import { makePredictable, makeValid, replaceAt } from "../cases/index.js";
import type { Exchange } from "../checks/index.js";
import { listShapes, type Path, type RequestShape, type TestCase } from "../messages/index.js";
import type { Run, RunPhase } from "../run/run.js";

/** Calls an operation with addresses of this machine for its callbacks, and checks the requests that arrive. */
export const runCallbacks: RunPhase = async (operation, run) => {
  const { receiver } = run;
  if (receiver === undefined || operation.callbacks.length === 0) return;
  const callbacks = toOutgoingOperations(operation.callbacks);
  for (const shape of listShapes(operation)) await runShape({ operation, shape, callbacks, receiver }, run);
};

interface Called {
  readonly operation: Operation;
  readonly shape: RequestShape;
  readonly callbacks: readonly OutgoingOperation[];
  readonly receiver: Receiver;
}

async function runShape({ operation, shape, callbacks, receiver }: Called, run: Run): Promise<void> {
  const { id } = operation;
  const [base] = makeValid(operation, shape, { phase: "callbacks", count: 1, full: true }, run);
  if (base === undefined) return;
  const missing = new Set(callbacks.map(({ outgoing }) => outgoing.name));
  const [waited, endWait] = createWait(run.callbackTime);
  /** Requests that arrive before the response to the call, which expressions refer to. */
  const early: (() => void)[] = [];
  const called: { exchange?: Exchange | undefined } = {};
  let testCase: TestCase = makePredictable(base, run.requests);

  for (const [source, own] of groupBy(
    callbacks,
    (callback) => toSource(callback, operation)?.join("/") ?? "",
  )) {
    const path = own[0] && toSource(own[0], operation);
    if (source === "" || path === undefined) continue;
    const check = (request: ReceivedRequest): void => {
      const { exchange } = called;
      if (exchange === undefined) return;
      const found = checkCallback(request, own, { exchange, validator: run.responses });
      for (const { outgoing } of found.callbacks) missing.delete(outgoing.name);
      if (missing.size === 0) endWait();
      if (found.problem === undefined) return;
      const [{ outgoing: { name } } = { outgoing: { name: "" } }] = found.callbacks;
      const label = name === "" ? `a callback of ${id}` : `the callback ${name} of ${id}`;
      const { message, detail } = found.problem;
      const text = `${request.method} ${request.path}, ${label}: ${message}`;
      run.report({ check: "callbacks", message: text, detail: `${name} ${detail}` }, [exchange]);
    };
    const url = receiver.open((request) => {
      if (called.exchange === undefined)
        early.push(() => {
          check(request);
        });
      else check(request);
      return makeReply(request, own);
    });
    testCase = { ...testCase, value: replaceAt(testCase.value, path, url) as TestCase["value"], known: path };
  }

  if (run.requests.find(shape.schema, testCase.value) !== undefined) {
    run.note(
      `Callbacks of ${id} were not received: its request cannot have the address ${receiver.origin}/0.`,
    );
    return;
  }
  called.exchange = await run.test(testCase);
  const status = called.exchange?.response.status;
  if (status === undefined || status >= 300) {
    run.note(
      `Callbacks of ${id} were not received: it responded with ${status ?? "nothing"} to an address of this machine.`,
    );
    return;
  }
  for (const check of early) check();
  if (missing.size > 0) await waited;
  endWait();
  for (const name of missing)
    run.note(`The callback ${name} of ${id} did not arrive within ${run.callbackTime / 1000} s.`);
}

/** Returns a promise that resolves at the end of a time, or when it is ended. */
function createWait(milliseconds: number): readonly [waited: Promise<void>, end: () => void] {
  let end = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return [waited, end];
}

/** Finds the part of a request that the URL of a callback begins with: `{$request.body#/url}/done` begins with that of the body. */
function toSource({ outgoing }: OutgoingOperation, operation: Operation): Path | undefined {
  const [, pointer, location, name = ""] =
    /^\{?\$request\.(?:body#([^{}]*)|(query|header)\.([^{}]+))/.exec(outgoing.expression ?? "") ?? [];
  if (pointer !== undefined) return ["body", ...parsePointer(pointer)];
  const declared = operation.parameters.find(
    (one) => one.in === location && one.name.toLowerCase() === name.toLowerCase(),
  );
  return declared && [declared.in, declared.name];
}

/** Makes the response of a receiver that accepts a callback, with the example of its body. */
function makeReply({ method }: ReceivedRequest, callbacks: readonly OutgoingOperation[]): Reply {
  const own = callbacks.find((callback) => callback.method.toUpperCase() === method);
  const { status = "204", mediaTypes = [] } = own?.responses.find((one) => one.status.startsWith("2")) ?? {};
  const code = Number(status.replace("XX", "00"));
  const [example] = mediaTypes.flatMap(({ name, examples }) =>
    examples.slice(0, 1).map(({ value }) => ({
      contentType: name,
      body: typeof value === "string" && !name.includes("json") ? value : JSON.stringify(value),
    })),
  );
  return { status: code, ...example };
}
