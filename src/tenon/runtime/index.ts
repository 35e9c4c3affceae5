/** The runtime's public face: what generated code and services import. */
export type { Accepts } from "./accept.js";
export type {
  Admission,
  ApiOptions,
  PartialApiOptions,
  PartialHandlers,
  ResponseProblem,
  ResponseValidation,
} from "./api-options.js";
export { type Authenticator, type Authenticators, type AuthenticationRequest } from "./authentication.js";
export type { BodyLimits } from "./body.js";
export type { MakeErrorBody, Problem } from "./error-content.js";
export { createErrorHandler, type ErrorOptions } from "./errors.js";
export type { Failure, FailureOptions } from "./failure.js";
export type { FormFile } from "./form-files.js";
export {
  HTTP_ERRORS,
  HttpError,
  type HttpErrorCode,
  type HttpErrorOptions,
  type Phase,
  type Violation,
} from "./http-error.js";
export { createHttpServer, type HttpServerOptions } from "./http-server.js";
export type { Observe, ObservedRequest, RequestObserver } from "./observe.js";
export type * from "./operation.js";
export type { OverloadOptions } from "./overload.js";
export { serveReadOnly } from "./read-only.js";
export { type RawReplies, type RawSend, Reply, type ReplyOptions } from "./reply.js";
export type { Handler, HandlerRequest, MakeHandler, RoutedContract, Unhandled } from "./route.js";
export {
  createContractRouter,
  createRouter,
  type ContractRouter,
  type ContractTable,
  type RouterOptions,
} from "./router.js";
