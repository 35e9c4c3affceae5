import { parsePointer } from "tenon/core/document";
import { type Operation, type OutgoingOperation, toOutgoingOperations } from "tenon/core/model";
import { groupBy } from "../../generate/group-by.js";
import { Arrivals } from "../callbacks/arrivals.js";
import type { ReceivedRequest, Receiver, Reply } from "../callbacks/receiver.js";
import { makePredictable, makeValid, replaceAt } from "../cases/index.js";
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
  const arrivals = new Arrivals({
    operation,
    callbacks,
    validator: run.responses,
    onProblem: (problem, exchange) => {
      run.report({ check: "callbacks", ...problem }, [exchange]);
    },
  });
  let testCase: TestCase = makePredictable(base, run.requests);
  const bySource = groupBy(callbacks, (callback) => toSource(callback, operation)?.join("/") ?? "");
  for (const [, own] of bySource) {
    const path = own[0] && toSource(own[0], operation);
    if (path === undefined) continue;
    const url = receiver.open((request) => {
      arrivals.add(request, own);
      return makeReply(request, own);
    });
    testCase = { ...testCase, value: replaceAt(testCase.value, path, url) as TestCase["value"], known: path };
  }

  const explainUnreceived = (reason: string) => {
    run.note(`Callbacks of ${id} were not received: ${reason}.`);
  };
  if (run.requests.find(shape.schema, testCase.value) !== undefined) {
    explainUnreceived(`its request cannot have the address ${receiver.origin}/0`);
    return;
  }
  const exchange = await run.test(testCase);
  const status = exchange?.response.status;
  if (exchange === undefined || status === undefined || status >= 300) {
    explainUnreceived(`it responded with ${status ?? "nothing"} to an address of this machine`);
    return;
  }
  for (const name of await arrivals.check(exchange, run.callbackTime))
    run.note(`The callback ${name} of ${id} did not arrive within ${run.callbackTime / 1000} s.`);
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
