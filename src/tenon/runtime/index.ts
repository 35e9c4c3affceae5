/** The public API of the runtime, which generated code and services import. */
export type { Accepts } from "./response/accept.js";
export type {
  Admission,
  ApiOptions,
  PartialApiOptions,
  PartialHandlers,
  ResponseProblem,
  ResponseValidation,
  StreamLimits,
  UndeclaredProperties,
} from "./routing/options.js";
export {
  type Authenticator,
  type Authenticators,
  type AuthenticationRequest,
} from "./security/authentication.js";
export type { BodyLimits } from "./body/body.js";
export type { MakeErrorBody, Problem } from "./errors/error-content.js";
export { createErrorHandler, type ErrorOptions } from "./errors/send-error.js";
export type { Failure, FailureOptions } from "./errors/failure.js";
export type { FormFile } from "./body/form-files.js";
export {
  HTTP_ERRORS,
  HttpError,
  type HttpErrorCode,
  type HttpErrorOptions,
  type OwnErrorOptions,
  type Phase,
  type Violation,
} from "./errors/http-error.js";
export { createHttpServer, type HttpServerOptions } from "./server/server.js";
export type { Observe, ObservedRequest, RequestObserver } from "./routing/observe.js";
export type { HttpMethod, OperationDescriptor, SecurityRequirement } from "./contract/operation.js";
export type { Formats } from "./validation/side-validator.js";
export type { OverloadOptions } from "./server/overload.js";
export { type LocalOptions, requireLocal } from "./server/local-requests.js";
export { serveReadOnly } from "./server/read-only.js";
export type { ItemSource } from "./response/items.js";
export type { ObservedStream, StreamEnd } from "./streams/item-stream.js";
export {
  type ByteRange,
  type ByteSource,
  type RawReplies,
  type RawSend,
  Reply,
  type ReplyOptions,
} from "./response/reply.js";
export type { Handler, HandlerRequest, MakeHandler, Unhandled } from "./routing/route.js";
export {
  createContractRouter,
  createRouter,
  type ContractRouter,
  type GeneratedContract,
  type RouterOptions,
} from "./routing/router.js";
