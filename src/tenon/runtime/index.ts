/** The runtime's public face: what generated code and services import. */
export type { Accepts } from "./accept.js";
export { type Authenticator, type Authenticators, type AuthenticationRequest } from "./authentication.js";
export type { BodyLimits } from "./body.js";
export { createErrorHandler, type ErrorOptions, type Failure, type Problem } from "./errors.js";
export type { FormFile } from "./form-files.js";
export {
  HTTP_ERRORS,
  HttpError,
  type HttpErrorCode,
  type HttpErrorOptions,
  type Phase,
} from "./http-error.js";
export { createHttpServer, type HttpServerOptions } from "./http-server.js";
export type * from "./operation.js";
export { serveReadOnly } from "./read-only.js";
export { type RawReplies, type RawSend, Reply, type ReplyOptions } from "./reply.js";
export {
  createContractRouter,
  type ApiOptions,
  type ContractRouter,
  type ContractTable,
  type PartialApiOptions,
  type PartialHandlers,
  type ResponseProblem,
  type ResponseValidation,
} from "./router.js";
