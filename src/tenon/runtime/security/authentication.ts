import type { Request } from "express";
import { type ContractDocument, getSecurityScheme } from "../contract-document.js";
import { createCredentialReader, type CredentialReader, type CredentialSource } from "./credentials.js";
import { HttpError, type HttpErrorOptions } from "../errors/http-error.js";
import { getMember } from "../member.js";
import type { OperationDescriptor, SecurityRequirement } from "../operation.js";
import { Values } from "../parameters/values.js";

/**
 * Decides whose credential it is: a bearer token, an API key, `user:password` for basic authentication, what follows the
 * name of another HTTP scheme in `Authorization`, or for `mutualTLS` the client's certificate in PEM, which the server trusts.
 * Resolve to undefined for a credential that is not (or no longer) good; that is a 401. Throw `new HttpError("forbidden")` where a
 * good one is not enough; that is a 403. Any other rejection is a failure of the service, answered 5xx: nobody is told that a
 * good key is bad because a database was away.
 */
export type Authenticator<Principal> = (
  credential: string,
  request: AuthenticationRequest,
) => Principal | undefined | Promise<Principal | undefined>;

export interface AuthenticationRequest {
  readonly operationId: string;
  /** Scopes that the operation requires of this scheme; empty for schemes without scopes. */
  readonly scopes: readonly string[];
  /** For what the credential alone does not tell: the address that it comes from, for example. */
  readonly request: Request;
}

/** Plain JavaScript may refuse with null or false; neither is ever somebody. */
const REFUSALS: ReadonlySet<unknown> = new Set([undefined, null, false]);

/** One authenticator a security scheme of the contract. */
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

/**
 * @returns what makes the authentication of one of the operations.
 * @throws when a scheme that an operation requires is not declared or has no authenticator.
 */
export function createAuthentication(
  document: ContractDocument,
  operations: readonly OperationDescriptor[],
  authenticators: Readonly<Record<string, Authenticator<unknown> | undefined>>,
): (operation: OperationDescriptor) => Authenticate {
  const schemes = new Map<string, Scheme>();
  for (const name of new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)))) {
    const scheme = getSecurityScheme(document, name);
    if (scheme === undefined)
      throw new Error(`The contract requires security scheme "${name}" and does not declare it`);
    const authenticator = getMember(authenticators, name);
    if (authenticator === undefined) throw new Error(`Security scheme "${name}" has no authenticator`);
    schemes.set(name, { reader: createCredentialReader(name, scheme), authenticator });
  }

  /** One alternative: every scheme it names must accept what was sent for it. Nothing is asked while one is missing. */
  async function attempt(
    requirement: SecurityRequirement,
    source: CredentialSource,
    operationId: string,
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
    const principals = new Values();
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

  /** Alternatives, and what names several schemes. */
  async function attemptAll({ id, security }: OperationDescriptor, source: CredentialSource): Promise<Auth> {
    // Who says who they are is not anonymous, wherever the contract lists `{}`.
    const stated = security.filter((requirement) => Object.keys(requirement).length > 0);
    const attempts: Attempt[] = [];
    for (const requirement of stated) {
      const attempted = await attempt(requirement, source, id);
      if (attempted.kind === "accepted") return attempted.principals;
      attempts.push(attempted);
    }
    if (stated.length < security.length) return undefined;
    throw refuse(toRefusal(security, attempts));
  }

  /** What nearly every operation requires: one scheme. */
  function attemptOne(operation: OperationDescriptor, name: string, scheme: Scheme): Authenticate {
    const { reader, authenticator } = scheme;
    const { id, security } = operation;
    const scopes = security[0]?.[name] ?? [];
    // Each the same for all callers, and without a stack: made once.
    const missing = refuse(toRefusal(security, [{ kind: "missing", places: [reader.place], isAll: true }]));
    const refused = refuse(toRefusal(security, [{ kind: "refused" }]));
    const accept = (principal: unknown): Auth => {
      if (REFUSALS.has(principal)) throw refused;
      const principals = new Values();
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
    security: OperationDescriptor["security"],
    attempts: readonly Attempt[],
  ): HttpErrorOptions {
    const readers = [...new Set(security.flatMap(Object.keys))].flatMap(
      (name) => schemes.get(name)?.reader ?? [],
    );
    const isRefused = attempts.some(({ kind }) => kind === "refused");
    const challenges = readers.flatMap(
      ({ challenge }) => challenge?.(document.info.title, isRefused ? "invalid_token" : undefined) ?? [],
    );
    return {
      message: isRefused ? "The credential is malformed, unknown or no longer valid" : tellMissing(attempts),
      headers: challenges.length === 0 ? {} : { "WWW-Authenticate": challenges.join(", ") },
    };
  }

  return (operation) => {
    const { security } = operation;
    const [name, ...others] = security.flatMap(Object.keys);
    if (security.length === 0) return () => undefined;
    const scheme = name === undefined ? undefined : schemes.get(name);
    if (security.length > 1 || others.length > 0 || name === undefined || scheme === undefined)
      return (source) => attemptAll(operation, source);
    return attemptOne(operation, name, scheme);
  };
}

/** Like `await`: query builders and the promises of other libraries are no `Promise`, and must not be taken for somebody. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** What came of one alternative. */
type Attempt =
  | { readonly kind: "accepted"; readonly principals: Readonly<Record<string, unknown>> }
  /** Something was sent that is malformed, or that an authenticator does not know. */
  | { readonly kind: "refused" }
  /** `places` are those of what is missing; `isAll` when nothing was sent. */
  | { readonly kind: "missing"; readonly places: readonly string[]; readonly isAll: boolean };

function tellMissing(attempts: readonly Attempt[]): string {
  const missing = attempts.filter((attempted) => attempted.kind === "missing");
  const begun = missing.filter(({ isAll }) => !isAll);
  const list = (wanted: typeof missing) => wanted.map(({ places }) => places.join(" and ")).join(" or ");
  if (begun.length > 0) return `A credential is missing; want ${list(begun)} too`;
  return `No credential was sent; want ${list(missing)}`;
}

function refuse(options: HttpErrorOptions): HttpError {
  return HttpError.refusal("unauthorized", options);
}
