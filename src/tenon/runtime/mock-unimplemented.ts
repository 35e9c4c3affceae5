import type { BadExample } from "../mock/answers.js";
import type { OperationDescriptor } from "./operation.js";
import type { Handler, MakeHandler } from "./route.js";

/**
 * Answers operations that have no handler yet from the contract. What does so is loaded when there is such an operation: no
 * service waits for it that has all its handlers.
 * @throws in production.
 */
export function mockUnimplemented(unhandled: readonly OperationDescriptor[]): MakeHandler {
  const ids = unhandled.filter(({ stub }) => stub !== true).map(({ id }) => id);
  if (ids.length === 0) return () => undefined;
  if (process.env["NODE_ENV"] === "production") {
    throw new Error(
      `unimplemented: "mock" answers with made-up data, which production must not: write the handler of ${ids.join(", ")}, ` +
        'or answer 501 with unimplemented: "501" (NODE_ENV is production)',
    );
  }
  const loading = import("../mock/create-mock.js");
  // Whoever asks is told; nobody may have asked yet.
  loading.catch(() => undefined);
  let makeHandler: Promise<MakeHandler> | undefined;

  return (missing) => {
    const { operation, document } = missing;
    if (operation.stub === true) return undefined;
    makeHandler ??= loading.then(
      ({ createMock }) => createMock(document, { onBadExample: warn }).makeHandler,
    );
    const made = makeHandler.then((make) => make(missing));
    made.catch(() => undefined);
    const handler: Handler = async (...parameters) => (await made)?.(...parameters);
    return handler;
  };
}

function warn({ operation, pointer, problems }: BadExample): void {
  process.emitWarning(
    `The mock of "${operation.id}" does not send the example at ${pointer}: ${problems.join("; ")}`,
  );
}
