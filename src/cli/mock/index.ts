/** Serves a contract without handlers. */
export type { BadExample } from "./make-response.js";
export { type MockServer, type MockServerOptions, type ResponseEvent, startMock } from "./start-mock.js";
export { createTryValues } from "./try-values.js";
export { mock } from "./unimplemented.js";
