import type { Contract, Operation } from "tenon/core/model";
import { createFetchHandler, type FetchHandler } from "tenon/runtime/portable";
import { createMock, type MockOptions } from "./create-mock.js";
import { createErrorBodies } from "./error-bodies.js";
import { BODY_LIMIT, withoutCertificates } from "./enforced.js";
import { takePreferences } from "./preferences.js";

export interface MockFetchOptions extends MockOptions {
  readonly onFailure?: ((error: unknown, operation: Operation | undefined) => void) | undefined;
}

/** Creates a mock whose requests do not come through a server. It has the responses of `startMock` and runs in browsers, too. */
export function createMockFetch(given: Contract, options: MockFetchOptions = {}): FetchHandler {
  const contract = withoutCertificates(given);
  const mock = createMock(contract, options);
  const { match, respond } = createFetchHandler(contract, {
    ...createErrorBodies(contract, mock),
    makeHandler: mock.makeHandler,
    bodyLimit: BODY_LIMIT,
    onFailure: options.onFailure,
  });
  return {
    match,
    respond(received, choose) {
      const taken = takePreferences(received.target);
      if (taken === undefined) return respond(received, choose);
      const headers = new Headers(received.headers);
      if (!headers.has("prefer")) headers.set("prefer", taken.prefer);
      return respond({ ...received, target: taken.target, headers }, choose);
    },
  };
}
