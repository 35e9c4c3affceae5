import type { RequestHandler } from "express";
import { type Call, createOperationAnswer } from "./answer-operation.js";
import type { BaseOptions } from "../options.js";
import { assertContract, readContract } from "../contract-document.js";
import { CoverageRecorder } from "../coverage-recorder.js";
import { createErrorAnswer, type ErrorOptions } from "../errors/errors.js";
import { HttpError } from "../errors/http-error.js";
import { createMatcher } from "./match.js";
import { getMember } from "../member.js";
import type { OperationDescriptor } from "../operation.js";
import { parseQuery } from "../parameters/query.js";
import { RequestSource } from "./request-source.js";
import { respond } from "../response/respond.js";
import { createRouteCompiler, type Route, type RoutedContract, type RouteOptions } from "./route.js";
import { splitTarget } from "../http/target.js";

/** What a generated `server.ts` hands over: names and data. */
export interface ContractTable {
  /** Path of the contract's servers: `/v1`, or empty. */
  readonly basePath: string;
  readonly operations: readonly OperationDescriptor[];
  /** The bundled contract that the operations were generated with. */
  readonly contractUrl: URL;
}

export type ContractRouter = RequestHandler;

export type RouterOptions<Context, Principals> = BaseOptions<Context, Principals> &
  ErrorOptions &
  Pick<RouteOptions, "handlers" | "unimplemented">;

/** A contract of more operations starts without their validators, which take milliseconds each, and makes them as they are asked for. */
const MOST_AT_START = 100;

/**
 * Enforces a contract in front of typed handlers, as one Express middleware, see {@link createOperationAnswer}.
 * Paths outside the contract's base path are left to what comes after it; with `unimplemented: "next"`, so is whatever has no
 * handler.
 * @throws when the contract cannot be read, is not valid OpenAPI, or does not fit the table, the handlers or the
 *   authenticators: a broken contract stops the start. Of a large one, a schema that cannot be compiled fails its operation.
 */
export function createContractRouter<Context extends object, Principals>(
  { basePath, operations, contractUrl }: ContractTable,
  options: RouterOptions<Context, Principals>,
): ContractRouter {
  const document = readContract(contractUrl);
  // Set by `tenon coverage`, for tests that know nothing of it.
  const folder = process.env["TENON_COVERAGE"];
  const coverage =
    folder === undefined ? undefined : new CoverageRecorder({ folder, document, contractUrl, operations });
  return enforce({ document, basePath, operations }, options, coverage);
}

/** The same of a contract that is in memory: nothing was generated from it, or not written. */
export function createRouter<Context extends object, Principals>(
  contract: RoutedContract,
  options: RouterOptions<Context, Principals>,
): ContractRouter {
  assertContract(contract.document);
  return enforce(contract, options, undefined);
}

function enforce<Context extends object, Principals>(
  contract: RoutedContract,
  options: RouterOptions<Context, Principals>,
  coverage: CoverageRecorder | undefined,
): ContractRouter {
  const { basePath, operations } = contract;
  const served = findServed(operations, options);
  const compile = createRouteCompiler({ ...contract, operations: [...served] }, options);
  const routes = new Map<OperationDescriptor, Route>();
  // Of all operations: `/pets/mine` is no `/pets/{petId}`, whoever serves it.
  const matcher = createMatcher(basePath, operations);
  const answerError = createErrorAnswer(options);
  const answerOperation = createOperationAnswer(options, answerError, coverage);

  function findRoute(operation: OperationDescriptor): Route {
    const route = routes.get(operation) ?? compile(operation);
    routes.set(operation, route);
    return route;
  }
  if (served.size <= MOST_AT_START) served.forEach(findRoute);

  return (request, response, next) => {
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
          coverage?.undeclared(`${request.method} ${path}`);
          throw HttpError.refusal("not_found");
        case "other-method":
          if (request.method !== "OPTIONS") {
            coverage?.undeclared(`${request.method} ${path}`);
            throw HttpError.refusal("method_not_allowed", { headers: { Allow: match.allow } });
          }
          // RFC 9110, section 9.3.7: what may be done with the path.
          respond(response, { status: 204, headers: { Allow: match.allow }, content: undefined });
          return;
        case "operation": {
          const { operation, pathParameters } = match;
          // From here on whatever happens is an answer of this operation.
          call.operation = operation;
          response.locals["operationId"] = operation.id;
          const route = findRoute(operation);
          route.setHeaders(response);
          void answerOperation(route, new RequestSource(request, pathParameters, parseQuery(query)), call);
        }
      }
    } catch (error) {
      answerError(error, call);
    }
  };
}

/** With `unimplemented: "next"` those that have a handler: nothing is asked, or compiled, for operations of somebody else. */
function findServed(
  operations: readonly OperationDescriptor[],
  { handlers, unimplemented }: Pick<RouteOptions, "handlers" | "unimplemented">,
): ReadonlySet<OperationDescriptor> {
  if (unimplemented !== "next") return new Set(operations);
  return new Set(
    operations.filter(({ id }) => getMember(handlers as Record<string, unknown>, id) !== undefined),
  );
}
