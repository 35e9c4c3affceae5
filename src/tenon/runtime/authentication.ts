import { type ContractDocument, getSecurityScheme } from "./contract-document.js";
import {
  createCredentialReader,
  type Credential,
  type CredentialReader,
  type CredentialSource,
} from "./credentials.js";
import { HttpError } from "./http-error.js";
import { getMember } from "./member.js";
import type { OperationDescriptor, SecurityRequirement } from "./operation.js";

/**
 * Decides whose credential it is: a bearer token, an API key, `user:password` for basic authentication, what follows the
 * name of another HTTP scheme in `Authorization`, or for `mutualTLS` the client's certificate in PEM, which the server trusts.
 * Resolve to undefined for a credential that is not (or no longer) good; that is a 401. A rejection is a failure of the
 * service, answered 5xx: nobody is told that a good key is bad because a database was away.
 */
export type Authenticator<Principal> = (
  credential: string,
  request: AuthenticationRequest,
) => Principal | undefined | Promise<Principal | undefined>;

export interface AuthenticationRequest {
  readonly operationId: string;
  /** Scopes that the operation requires of this scheme; empty for schemes without scopes. */
  readonly scopes: readonly string[];
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
 * @returns what the first satisfied alternative of the operation's security yields.
 * @throws {HttpError} `unauthorized` with `WWW-Authenticate`; whatever an authenticator throws passes through.
 */
export type Authenticate = (operation: OperationDescriptor, source: CredentialSource) => Promise<Auth>;

/** @throws when a scheme that an operation requires is not declared or has no authenticator. */
export function createAuthentication(
  document: ContractDocument,
  operations: readonly OperationDescriptor[],
  authenticators: Readonly<Record<string, Authenticator<unknown> | undefined>>,
): Authenticate {
  const schemes = new Map<string, { reader: CredentialReader; authenticator: Authenticator<unknown> }>();
  for (const name of new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)))) {
    const scheme = getSecurityScheme(document, name);
    if (scheme === undefined)
      throw new Error(`The contract requires security scheme "${name}" and does not declare it`);
    const authenticator = getMember(authenticators, name);
    if (authenticator === undefined) throw new Error(`Security scheme "${name}" has no authenticator`);
    schemes.set(name, { reader: createCredentialReader(name, scheme), authenticator });
  }

  /** One alternative: every scheme it names must accept what was sent for it. */
  async function attempt(
    requirement: SecurityRequirement,
    source: CredentialSource,
    operationId: string,
  ): Promise<{ principals: Record<string, unknown> | undefined; sent: boolean }> {
    // Without a prototype, because a scheme may be called `__proto__`.
    const principals = Object.create(null) as Record<string, unknown>;
    let sent = false;
    for (const [name, scopes] of Object.entries(requirement)) {
      const scheme = schemes.get(name);
      const credential: Credential = scheme?.reader.read(source) ?? { kind: "none" };
      sent ||= credential.kind !== "none";
      if (scheme === undefined || credential.kind !== "sent") return { principals: undefined, sent };
      const principal = await scheme.authenticator(credential.value, { operationId, scopes });
      if (REFUSALS.has(principal)) return { principals: undefined, sent };
      principals[name] = principal;
    }
    return { principals, sent };
  }

  return async ({ id, security }, source) => {
    if (security.length === 0) return undefined;
    let anySent = false;
    // Who says who they are is not anonymous, wherever the contract lists `{}`.
    const stated = security.filter((requirement) => Object.keys(requirement).length > 0);
    for (const requirement of stated) {
      const { principals, sent } = await attempt(requirement, source, id);
      if (principals !== undefined) return principals;
      anySent ||= sent;
    }
    if (stated.length < security.length) return undefined;

    const readers = [...new Set(security.flatMap(Object.keys))].flatMap(
      (name) => schemes.get(name)?.reader ?? [],
    );
    const challenges = readers.flatMap(
      ({ challenge }) => challenge?.(document.info.title, anySent ? "invalid_token" : undefined) ?? [],
    );
    throw new HttpError("unauthorized", {
      message: anySent
        ? "The credential is malformed, unknown or no longer valid"
        : `No credential was sent; want ${readers.map(({ place }) => place).join(" or ")}`,
      headers: challenges.length === 0 ? {} : { "WWW-Authenticate": challenges.join(", ") },
    });
  };
}
