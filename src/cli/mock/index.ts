/** Serves a contract without handlers. */
export type { BadExample } from "./make-response.js";
export { mock } from "./create-mock.js";
export { type MockServer, type MockServerOptions, type ResponseEvent, startMock } from "./start-mock.js";
export { createTryValues } from "./try-values.js";
