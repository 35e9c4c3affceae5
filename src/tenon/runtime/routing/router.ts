import { METHODS } from "node:http";
import type { Request, RequestHandler } from "express";
import { assertGeneratedVersion } from "../../core/version/index.js";
import { type Call, type Coverage, createOperationRunner, type NodeRoute } from "./run-operation.js";
import type { BaseOptions } from "./options.js";
import { type Contract, type Operation, toOperationLabel } from "../../core/model/index.js";
import { readContract } from "../contract/contract.js";
import type { OperationDescriptor } from "../contract/operation.js";
import { createErrorSender, type ErrorOptions } from "../errors/send-error.js";
import { HttpError } from "../errors/http-error.js";
import { createMatcher, splitTarget } from "./match.js";
import { getMember } from "../../core/document/null-object.js";
import { parseQuery } from "../parameters/read-parameters.js";
import { RequestSource } from "./request-source.js";
import { respond } from "../response/respond.js";
import type { Auth } from "../security/authentication.js";
import { createRouteCompiler, type RouteOptions } from "./route.js";
import { createBodyReaders } from "../body/body.js";
import { createFixedHeaders } from "../http/node-response.js";
import { createValidatorCompiler } from "../validation/validator.js";

/**
 * The argument that a generated `server.ts` passes to {@link createContractRouter}.
 * @example
 * const generated: GeneratedContract = { tenon: "0.1", operations, contractUrl };
 * app.use(createContractRouter(generated, { ...errors, handlers, authenticators }));
 */
export interface GeneratedContract {
  /** Version of Tenon that it was generated for: `0.1`. */
  readonly tenon: string;
  /** The operations that the code was generated for. */
  readonly operations: readonly OperationDescriptor[];
  /** The bundled contract that the types were generated from. */
  readonly contractUrl: URL;
}

/**
 * The Express middleware that enforces a contract.
 * @example
 * const api: ContractRouter = createApi({ ...errors, handlers, authenticators });
 * app.use(api);
 */
export type ContractRouter = RequestHandler;

/**
 * The options of {@link createContractRouter} and {@link createRouter}. The generated `createApi` has stricter types.
 * @example
 * const options: RouterOptions<object, Principals> = { ...errors, handlers, authenticators };
 * app.use(createContractRouter({ tenon: "0.1", operations, contractUrl }, options));
 */
export type RouterOptions<Context, Principals> = BaseOptions<Context, Principals> &
  ErrorOptions &
  Pick<RouteOptions, "handlers" | "unimplemented">;

/** Above this number of operations, validators are compiled on the first request: each takes milliseconds. */
const MOST_AT_START = 100;

/**
 * Creates an Express middleware that enforces a contract in front of handlers. The generated `createApi` calls it.
 * Requests outside the contract's base paths go to the next middleware; with `unimplemented: "next"`, so do requests to operations
 * without a handler.
 * @throws {Error} when the code was generated for another version of Tenon, when the contract cannot be read, is not valid OpenAPI or has other operations,
 *   and when a handler or an authenticator is missing. A schema of a response that cannot be compiled fails the first response that is
 *   validated, and in a contract of more than 100 operations, one of a request fails the first request.
 * @example
 * app.use(createContractRouter({ tenon: "0.1", operations, contractUrl }, { ...errors, handlers, authenticators }));
 */
export function createContractRouter<Context extends object, Principals>(
  { tenon, operations, contractUrl }: GeneratedContract,
  options: RouterOptions<Context, Principals>,
): ContractRouter {
  assertGeneratedVersion(tenon);
  const contract = readContract(contractUrl, operations);
  const coverage: Coverage = {};
  const router = enforce(contract, options, coverage);
  // Set by `tenon coverage`.
  const folder = process.env["TENON_COVERAGE"];
  if (folder === undefined) return router;
  // A dynamic import, so that production does not load it.
  const loading = import("./coverage-recorder.js").then(({ CoverageRecorder }) => {
    coverage.recorder = new CoverageRecorder({ folder, contractUrl, contract });
  });
  const recording: ContractRouter = (request, response, next) =>
    void loading.then(() => router(request, response, next), next);
  enforcements.set(recording, getEnforcement(router));
  return recording;
}

/**
 * Creates the middleware of {@link createContractRouter} for a contract that is already in memory, without generated code.
 * @throws {Error} when a handler or an authenticator is missing.
 * @example
 * app.use(createRouter(contract, { ...errors, handlers: {}, authenticators, unimplemented: "501" }));
 */
export function createRouter<Context extends object, Principals>(
  contract: Contract,
  options: RouterOptions<Context, Principals>,
): ContractRouter {
  return enforce(contract, options, {});
}

/** The contract of a router and its authentication, for other middleware of this package. */
export interface Enforcement {
  readonly contract: Contract;
  /**
   * Authenticates a request as one to an operation.
   * @throws {HttpError} `unauthorized`; whatever an authenticator throws passes through.
   */
  readonly authenticate: (operation: Operation, request: Request) => Auth | Promise<Auth>;
  /** Limit of the contract's own bodies, in bytes. */
  readonly bodyLimit: number | undefined;
}

const enforcements = new WeakMap<ContractRouter, Enforcement>();

/** @throws {TypeError} for other middleware. */
export function getEnforcement(router: ContractRouter): Enforcement {
  const found = enforcements.get(router);
  if (found === undefined) throw new TypeError("This is not the middleware that `createApi` returned");
  return found;
}

function enforce<Context extends object, Principals>(
  contract: Contract,
  options: RouterOptions<Context, Principals>,
  coverage: Coverage,
): ContractRouter {
  const { basePaths, operations } = contract;
  assertParsable(operations);
  const served = findServed(operations, options);
  const compile = createRouteCompiler(
    contract,
    [...served],
    options,
    createValidatorCompiler(contract, options.formats),
  );
  const createReader = createBodyReaders(options);
  const routes = new Map<Operation, NodeRoute>();
  // Includes operations without a handler: `/pets/mine` must not match `/pets/{petId}`.
  const matcher = createMatcher(basePaths, operations);
  const sendError = createErrorSender(options);
  const runOperation = createOperationRunner(options, sendError, coverage);

  function findRoute(operation: Operation): NodeRoute {
    const known = routes.get(operation);
    if (known !== undefined) return known;
    const route = compile(operation);
    const { requestBody } = operation;
    const found = {
      ...route,
      readBody: requestBody && createReader(requestBody),
      setHeaders: createFixedHeaders(route.headers),
    };
    routes.set(operation, found);
    return found;
  }
  if (served.size <= MOST_AT_START) served.forEach(findRoute);

  const router: ContractRouter = (request, response, next) => {
    const call: Call = { request, response, phase: "match", operation: undefined, observer: undefined };
    try {
      const { path, query } = splitTarget(request.url);
      const match = matcher(request.method, path);
      if (options.unimplemented === "next" && !(match.kind === "operation" && served.has(match.operation))) {
        next();
        return;
      }
      switch (match.kind) {
        case "outside":
          next();
          return;
        case "no-path":
          coverage.recorder?.undeclared(`${request.method} ${path}`);
          throw HttpError.refusal("not_found");
        case "other-method":
          if (request.method !== "OPTIONS") {
            coverage.recorder?.undeclared(`${request.method} ${path}`);
            throw HttpError.refusal("method_not_allowed", { headers: { Allow: match.allow } });
          }
          // RFC 9110, section 9.3.7: the methods of the path.
          respond(response, { status: 204, headers: { Allow: match.allow }, content: undefined });
          return;
        case "operation": {
          const { operation, pathParameters } = match;
          // From here on every response belongs to this operation.
          call.operation = operation;
          response.locals["operationId"] = operation.id;
          const route = findRoute(operation);
          route.setHeaders(response);
          void runOperation(
            route,
            new RequestSource(request, pathParameters, parseQuery(query), query),
            call,
          );
        }
      }
    } catch (error) {
      sendError(error, call);
    }
  };
  enforcements.set(router, {
    contract,
    bodyLimit: options.bodyLimit,
    authenticate: (operation, request) => {
      const { query } = splitTarget(request.originalUrl);
      return findRoute(operation).authenticate(new RequestSource(request, {}, parseQuery(query), query));
    },
  });
  return router;
}

/**
 * Checks that Node.js can parse the methods of all operations.
 * @param methods Default: those of this version of Node.js.
 * @throws {Error} for QUERY in Node.js 20.19.
 */
export function assertParsable(operations: readonly Operation[], methods: readonly string[] = METHODS): void {
  const other = operations.find(({ method }) => !methods.includes(method.toUpperCase()));
  if (other === undefined) return;
  throw new Error(
    `Node.js ${process.version} cannot parse the method of ${toOperationLabel(other)}; use Node.js 20.20 or later`,
  );
}

/** Finds the operations to serve. With `unimplemented: "next"`, these are the ones with a handler; the others are not compiled. */
function findServed(
  operations: readonly Operation[],
  { handlers, unimplemented }: Pick<RouteOptions, "handlers" | "unimplemented">,
): ReadonlySet<Operation> {
  if (unimplemented !== "next") return new Set(operations);
  return new Set(
    operations.filter(({ id }) => getMember(handlers as Record<string, unknown>, id) !== undefined),
  );
}
