import type { MakeHandler } from "tenon/runtime";
import { createMock } from "./create-mock.js";
import type { BadExample } from "./make-response.js";

/**
 * Creates handlers for operations that have none. They respond with the contract's examples, or with values that its schemas
 * allow, and set the header `Tenon-Mock: true`.
 * @throws {Error} in production, where made-up data must not be served.
 * @example
 * createPartialApi({ handlers, unimplemented: mock() });
 */
export function mock(): MakeHandler {
  if (process.env["NODE_ENV"] === "production")
    throw new Error(
      'mock() must not be used in production (NODE_ENV is production): use unimplemented: "501"',
    );
  let makeHandler: MakeHandler | undefined;
  return (missing) => {
    if (missing.operation.stub) return undefined;
    makeHandler ??= createMock(missing.contract, { onBadExample: warn }).makeHandler;
    return makeHandler(missing);
  };
}

function warn({ operation, pointer, problems }: BadExample): void {
  process.emitWarning(
    `The mock of "${operation.id}" does not send the example at ${pointer}: ${problems.join("; ")}`,
  );
}
