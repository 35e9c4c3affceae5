import type { Request } from "express";
import type { Contract, Operation, SecurityRequirement } from "../../core/model/index.js";
import { createCredentialReader, type CredentialReader, type CredentialSource } from "./credentials.js";
import { HttpError, type HttpErrorOptions } from "../errors/http-error.js";
import { getMember, NullObject } from "../../core/document/null-object.js";

/**
 * Finds the principal of a credential. The credential is a bearer token, an API key, `user:password` for basic authentication, the
 * text after the name of another HTTP scheme in `Authorization`, or for `mutualTLS` the trusted client certificate in PEM.
 *
 * Return undefined for an unknown or expired credential: the response is a 401. Throw `new HttpError("forbidden")` when a valid
 * credential does not suffice: the response is a 403. Any other error is a failure of the service and becomes a 5xx, so that a
 * database failure does not reject valid keys.
 * @example
 * const bearerAuth: Authenticator<{ readonly name: string }> = (key) => keys.findOwner(key);
 * app.use(createApi({ ...errors, handlers, authenticators: { bearerAuth } }));
 */
export type Authenticator<Principal> = (
  credential: string,
  request: AuthenticationRequest,
) => Principal | undefined | Promise<Principal | undefined>;

/**
 * The second argument of an authenticator: the operation, the scopes it requires and the Express request.
 * @example
 * const bearerAuth = async (key: string, { scopes }: AuthenticationRequest) => {
 *   if (scopes.includes("admin")) throw new HttpError("forbidden");
 *   return await keys.findOwner(key);
 * };
 * app.use(createApi({ ...errors, handlers, authenticators: { bearerAuth } }));
 */
export interface AuthenticationRequest {
  readonly operationId: string;
  /** Scopes (in OpenAPI 3.1 also roles, of any scheme) that the operation requires; the authenticator checks them. */
  readonly scopes: readonly string[];
  /** The request, for example to read the caller's address. */
  readonly request: Request;
}

/** Plain JavaScript may refuse with null or false; neither is a principal. */
const REFUSALS: ReadonlySet<unknown> = new Set([undefined, null, false]);

/**
 * One authenticator per security scheme of the contract, by its name.
 * @example
 * const authenticators: Authenticators<{ bearerAuth: { readonly name: string } }> = {
 *   bearerAuth: (key) => keys.findOwner(key),
 * };
 * app.use(createApi({ ...errors, handlers, authenticators }));
 */
export type Authenticators<Principals> = {
  readonly [Scheme in keyof Principals]: Authenticator<Principals[Scheme]>;
};

/** Principals by scheme, or undefined when the contract lets the request be anonymous. */
export type Auth = Readonly<Record<string, unknown>> | undefined;

/**
 * @returns what the first satisfied alternative of an operation's security yields; a promise only where an authenticator
 *   returns one.
 * @throws {HttpError} `unauthorized` with `WWW-Authenticate`; whatever an authenticator throws passes through.
 */
export type Authenticate = (source: CredentialSource) => Auth | Promise<Auth>;

interface Scheme {
  readonly reader: CredentialReader;
  readonly authenticator: Authenticator<unknown>;
}

/** The schemes that a contract's operations require. */
interface Context {
  /** The contract's title, which challenges name as the realm. */
  readonly title: string;
  readonly schemes: ReadonlyMap<string, Scheme>;
}

/**
 * @returns a function that creates the authentication of an operation.
 * @throws when a scheme that an operation requires is not declared or has no authenticator.
 */
export function createAuthentication(
  { title, securitySchemes }: Pick<Contract, "title" | "securitySchemes">,
  operations: readonly Operation[],
  authenticators: Readonly<Record<string, Authenticator<unknown> | undefined>>,
): (operation: Operation) => Authenticate {
  const schemes = new Map<string, Scheme>();
  const context = { title, schemes };
  for (const name of new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)))) {
    const scheme = securitySchemes.find((one) => one.name === name);
    if (scheme === undefined)
      throw new Error(`The contract requires security scheme "${name}" and does not declare it`);
    const authenticator = getMember(authenticators, name);
    if (authenticator === undefined)
      throw new Error(
        `Security scheme "${name}" has no authenticator: add a function "${name}" to the option authenticators`,
      );
    schemes.set(name, { reader: createCredentialReader(scheme), authenticator });
  }

  return (operation) => {
    const { security } = operation;
    const [name, ...others] = security.flatMap(Object.keys);
    if (security.length === 0) return () => undefined;
    const scheme = name === undefined ? undefined : schemes.get(name);
    if (security.length > 1 || others.length > 0 || name === undefined || scheme === undefined)
      return (source) => attemptAll(operation, source, context);
    return attemptOne(operation, name, scheme, context);
  };
}

/** One alternative: every scheme it names must accept what was sent for it. No authenticator is called while a credential is missing. */
async function attempt(
  requirement: SecurityRequirement,
  source: CredentialSource,
  operationId: string,
  { schemes }: Context,
): Promise<Attempt> {
  const read = Object.entries(requirement).map(([name, scopes]) => {
    const scheme = schemes.get(name);
    if (scheme === undefined) throw new Error(`No security scheme "${name}"`);
    return { name, scopes, ...scheme, credential: scheme.reader.read(source) };
  });
  const missing = read.filter(({ credential }) => credential.kind === "none");
  if (missing.length > 0) {
    const places = missing.map(({ reader }) => reader.place);
    return { kind: "missing", places, isAll: missing.length === read.length };
  }
  // Without a prototype, because a scheme may be called `__proto__`.
  const principals = new NullObject();
  for (const { name, scopes, authenticator, credential } of read) {
    if (credential.kind !== "sent") return { kind: "refused" };
    const principal = await authenticator(credential.value, {
      operationId,
      scopes,
      request: source.request,
    });
    if (REFUSALS.has(principal)) return { kind: "refused" };
    principals[name] = principal;
  }
  return { kind: "accepted", principals };
}

/** Authenticates with several alternatives or schemes. */
async function attemptAll(
  { id, security }: Operation,
  source: CredentialSource,
  context: Context,
): Promise<Auth> {
  // A request with credentials is not anonymous, wherever the contract lists `{}`.
  const stated = security.filter((requirement) => Object.keys(requirement).length > 0);
  const attempts: Attempt[] = [];
  for (const requirement of stated) {
    const attempted = await attempt(requirement, source, id, context);
    if (attempted.kind === "accepted") return attempted.principals;
    attempts.push(attempted);
  }
  if (stated.length < security.length) return undefined;
  throw refuse(toRefusal(security, attempts, context));
}

/** Authenticates with a single scheme, which nearly every operation requires. */
function attemptOne(operation: Operation, name: string, scheme: Scheme, context: Context): Authenticate {
  const { reader, authenticator } = scheme;
  const { id, security } = operation;
  const scopes = security[0]?.[name] ?? [];
  // The errors have no stack and are the same for all callers, so they are created once.
  const missing = refuse(
    toRefusal(security, [{ kind: "missing", places: [reader.place], isAll: true }], context),
  );
  const refused = refuse(toRefusal(security, [{ kind: "refused" }], context));
  const accept = (principal: unknown): Auth => {
    if (REFUSALS.has(principal)) throw refused;
    const principals = new NullObject();
    principals[name] = principal;
    return principals;
  };
  return (source) => {
    const credential = reader.read(source);
    if (credential.kind === "none") throw missing;
    if (credential.kind === "malformed") throw refused;
    const { request } = source;
    const principal = authenticator(credential.value, { operationId: id, scopes, request });
    return isThenable(principal) ? Promise.resolve(principal).then(accept) : accept(principal);
  };
}

function toRefusal(
  security: Operation["security"],
  attempts: readonly Attempt[],
  { title, schemes }: Context,
): HttpErrorOptions {
  const readers = [...new Set(security.flatMap(Object.keys))].flatMap(
    (name) => schemes.get(name)?.reader ?? [],
  );
  const isRefused = attempts.some(({ kind }) => kind === "refused");
  const challenges = readers.map(({ challenge }) =>
    challenge(title, isRefused ? "invalid_token" : undefined),
  );
  return {
    message: isRefused ? "The credential is malformed, unknown or no longer valid" : formatMissing(attempts),
    headers: challenges.length === 0 ? {} : { "WWW-Authenticate": challenges.join(", ") },
  };
}

/** Detects promises like `await` does: query builders and promises of other libraries must not be mistaken for a principal. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** Result of one alternative. */
type Attempt =
  | { readonly kind: "accepted"; readonly principals: Readonly<Record<string, unknown>> }
  /** Something was sent that is malformed, or that an authenticator does not know. */
  | { readonly kind: "refused" }
  /** `places` are those of what is missing; `isAll` when nothing was sent. */
  | { readonly kind: "missing"; readonly places: readonly string[]; readonly isAll: boolean };

function formatMissing(attempts: readonly Attempt[]): string {
  const missing = attempts.filter((attempted) => attempted.kind === "missing");
  const begun = missing.filter(({ isAll }) => !isAll);
  const list = (wanted: typeof missing) => wanted.map(({ places }) => places.join(" and ")).join(" or ");
  if (begun.length > 0) return `Missing credentials; also expected ${list(begun)}`;
  return `Missing credentials; expected ${list(missing)}`;
}

function refuse(options: HttpErrorOptions): HttpError {
  return HttpError.refusal("unauthorized", options);
}
