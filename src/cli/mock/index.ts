/** What serves a contract from itself. */
export { mock } from "./mock-unimplemented.js";
export type { BadExample } from "./answers.js";
export { type Answered, type MockServer, type MockServerOptions, startMock } from "./start-mock.js";
