import type { HttpMethod as ContractMethod } from "../../core/http/index.js";
import type {
  Operation,
  SecurityRequirement as ContractSecurityRequirement,
} from "../../core/model/index.js";

/**
 * The HTTP method of an operation, in lower case as in the contract.
 * @example
 * const SAFE: readonly HttpMethod[] = ["get", "head", "options"];
 * const safeOperations = generatedServer.operations.filter(({ method }) => SAFE.includes(method));
 */
export type HttpMethod = ContractMethod;

/**
 * Security schemes that must all accept a request, with the scopes that each requires.
 * @example
 * const requirement: SecurityRequirement = { bearerAuth: [] };
 * const schemes = Object.keys(requirement);
 */
export type SecurityRequirement = ContractSecurityRequirement;

/**
 * Describes an operation. The generated `server.ts` exports a table of these as `operations`, and observers get one per request.
 * @example
 * const table: readonly OperationDescriptor[] = generatedServer.operations;
 * for (const { id, method, path } of table) console.log(`${method.toUpperCase()} ${basePath}${path}: ${id}`);
 */
export interface OperationDescriptor {
  /** The contract's `operationId`; without one, a name derived from method and path. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path template as the contract writes it, below the base path: `/pets/{petId}`. */
  readonly path: string;
  /** Declared status codes, ranges (`"4XX"`) and `"default"`, in document order. */
  readonly statuses: readonly string[];
  /** Alternative requirements, in order. Empty: no authentication. */
  readonly security: readonly SecurityRequirement[];
  readonly deprecated?: true;
  /** True when the contract declares 501 and no success: the runtime responds 501, and the operation has no handler. */
  readonly stub?: true;
}

const DESCRIBED = new WeakMap<Operation, OperationDescriptor>();

/** Describes an operation of the contract. Returns the same object on every call. */
export function describeOperation(operation: Operation): OperationDescriptor {
  const known = DESCRIBED.get(operation);
  if (known) return known;
  const { id, method, path, responses, security, lifecycle, stub } = operation;
  const described: OperationDescriptor = {
    id,
    method,
    path,
    statuses: responses.map(({ status }) => status),
    security,
    ...(lifecycle?.deprecated === true && { deprecated: true }),
    ...(stub && { stub }),
  };
  DESCRIBED.set(operation, described);
  return described;
}
