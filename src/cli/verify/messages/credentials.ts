import type { Contract, Operation, SecurityRequirement } from "tenon/core/model";

/** The credentials that the user gave. */
export interface Credentials {
  /** Credential by security scheme: a token, a key, or `name:password`. */
  readonly keys: ReadonlyMap<string, string>;
  /** Sent with every request, whatever the contract says. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The credentials that a request sends. */
export type Authentication =
  | { readonly kind: "given" }
  | { readonly kind: "none" }
  /** All of a requirement but the one of `scheme`. */
  | { readonly kind: "without"; readonly scheme: string; readonly requirement: SecurityRequirement }
  /** The one of `scheme` is invalid. */
  | { readonly kind: "wrong"; readonly scheme: string; readonly requirement: SecurityRequirement };

export const GIVEN: Authentication = { kind: "given" };

type Schemes = Pick<Contract, "securitySchemes">;
type Secured = Pick<Operation, "security">;

/** How verify sends a credential: an `Authorization` header, or a header, query parameter or cookie of its own. */
export type Carrier =
  | { readonly kind: "bearer" | "basic" }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string };

/** @returns undefined for a scheme that cannot be sent: `mutualTLS`, digest. */
export function findCarrier({ securitySchemes }: Schemes, scheme: string): Carrier | undefined {
  const credential = securitySchemes.find(({ name }) => name === scheme)?.credential;
  switch (credential?.kind) {
    case "http": {
      const kind = credential.scheme.toLowerCase();
      return kind === "bearer" || kind === "basic" ? { kind } : undefined;
    }
    case "oauth2":
    case "openIdConnect":
      return { kind: "bearer" };
    case "apiKey":
      return credential;
    default:
      return undefined;
  }
}

/** A part of a request, and how a report shows it: a secret as `$TENON_AUTH_BEARER_AUTH`. */
export interface SentPair {
  readonly name: string;
  readonly value: string;
  readonly shown: string;
}

export interface SentCredentials {
  readonly headers: readonly SentPair[];
  readonly query: readonly SentPair[];
  readonly cookies: readonly SentPair[];
}

const INVALID = "surely-nobodys-credential";

/** Environment variable that a credential is read from, and its placeholder in reports. */
export function toVariable(scheme: string): string {
  const words = scheme.replace(/([a-z\d])([A-Z])/g, "$1_$2").replace(/[^A-Za-z\d]+/g, "_");
  return `TENON_AUTH_${words.toUpperCase()}`;
}

/** The placeholder in reports for a header that the user gave. */
export function toHeaderVariable(name: string): string {
  return `TENON_AUTH_${name.toUpperCase().replaceAll(/[^A-Z\d]+/g, "_")}`;
}

/**
 * Chooses the first alternative that the user has all credentials for; one with credentials before one without.
 * @returns undefined when there is none.
 */
export function chooseRequirement(
  { security }: Secured,
  schemes: Schemes,
  { keys }: Credentials,
): SecurityRequirement | undefined {
  const canSend = (name: string) => keys.has(name) && findCarrier(schemes, name) !== undefined;
  const usable = security.filter((requirement) => Object.keys(requirement).every(canSend));
  return usable.find((requirement) => Object.keys(requirement).length > 0) ?? usable[0];
}

/** Tests whether the credentials are enough for an operation, according to the contract. */
export function canAccess(operation: Secured, schemes: Schemes, credentials: Credentials): boolean {
  if (operation.security.length === 0) return true;
  // A header of the user's own may be a credential that the contract does not describe.
  return chooseRequirement(operation, schemes, credentials) !== undefined || credentials.headers.length > 0;
}

/** Writes the credentials of a request. */
export function writeCredentials(
  operation: Secured,
  schemes: Schemes,
  credentials: Credentials,
  authentication: Authentication,
): SentCredentials {
  const sent = { headers: [] as SentPair[], query: [] as SentPair[], cookies: [] as SentPair[] };
  for (const [name, value] of credentials.headers) {
    if (authentication.kind !== "given" && isCredentialHeader(name, operation, schemes)) continue;
    sent.headers.push({ name, value, shown: `$${toHeaderVariable(name)}` });
  }
  const chosen =
    authentication.kind === "given"
      ? chooseRequirement(operation, schemes, credentials)
      : "requirement" in authentication
        ? authentication.requirement
        : undefined;
  for (const scheme of Object.keys(chosen ?? {})) {
    const isOwn = "scheme" in authentication && authentication.scheme === scheme;
    if (isOwn && authentication.kind === "without") continue;
    const key = isOwn ? INVALID : credentials.keys.get(scheme);
    const carrier = findCarrier(schemes, scheme);
    if (key === undefined || carrier === undefined) continue;
    const shown = isOwn ? INVALID : `$${toVariable(scheme)}`;
    if (carrier.kind === "apiKey") {
      const list = { header: sent.headers, query: sent.query, cookie: sent.cookies }[carrier.in];
      list.push({ name: carrier.name, value: key, shown });
    } else sent.headers.push(toAuthorization(carrier.kind, { key, shown, isInvalid: isOwn }));
  }
  return sent;
}

function toAuthorization(
  kind: "bearer" | "basic",
  { key, shown, isInvalid }: { readonly key: string; readonly shown: string; readonly isInvalid: boolean },
): SentPair {
  const name = "Authorization";
  if (kind === "bearer") return { name, value: `Bearer ${key}`, shown: `Bearer ${shown}` };
  const value = toBase64(isInvalid ? `${key}:${key}` : key);
  const hidden = isInvalid ? value : `$(printf %s "${shown}" | base64)`;
  return { name, value: `Basic ${value}`, shown: `Basic ${hidden}` };
}

/** In UTF-8 (RFC 7617). */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Tests whether a header of the user's own (`--header`) carries the credential of a security scheme. */
function isCredentialHeader(name: string, { security }: Secured, schemes: Schemes): boolean {
  const lower = name.toLowerCase();
  return security
    .flatMap((requirement) => Object.keys(requirement))
    .some((scheme) => {
      const carrier = findCarrier(schemes, scheme);
      if (carrier?.kind !== "apiKey") return lower === "authorization";
      return carrier.in === "cookie" ? lower === "cookie" : carrier.name.toLowerCase() === lower;
    });
}
