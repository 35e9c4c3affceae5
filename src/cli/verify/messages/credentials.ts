import type { Contract, Operation, SecurityRequirement } from "tenon/core/model";

/** The credentials that the user gave. */
export interface Credentials {
  /** Credential by security scheme: a token, a key, or `name:password`. */
  readonly keys: ReadonlyMap<string, string>;
  /** Sent with every request, whatever the contract says. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Insufficient credentials: none, or those of a requirement, but without the one of `scheme` or with an invalid one. */
export type Authentication =
  | { readonly kind: "none" }
  | {
      readonly kind: "without" | "wrong";
      readonly scheme: string;
      readonly requirement: SecurityRequirement;
    };

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

/** The credentials of a request, by their location. */
export type SentCredentials = Readonly<Record<"header" | "query" | "cookie", readonly SentPair[]>>;

const INVALID = "surely-nobodys-credential";

/** Environment variable that a credential is read from; its placeholder in reports, and that of a header that the user gave. */
export function toVariable(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").replace(/[^A-Za-z\d]+/g, "_");
  return `TENON_AUTH_${words.toUpperCase()}`;
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

/** @param authentication Default: the given credentials. */
export function writeCredentials(
  operation: Secured,
  schemes: Schemes,
  credentials: Credentials,
  authentication?: Authentication,
): SentCredentials {
  const sent: Record<keyof SentCredentials, SentPair[]> = { header: [], query: [], cookie: [] };
  for (const [name, value] of credentials.headers) {
    if (authentication !== undefined && isCredentialHeader(name, operation, schemes)) continue;
    sent.header.push({ name, value, shown: `$${toVariable(name)}` });
  }
  const insufficient = authentication?.kind === "none" ? { requirement: {} } : authentication;
  const { requirement } = insufficient ?? { requirement: chooseRequirement(operation, schemes, credentials) };
  for (const scheme of Object.keys(requirement ?? {})) {
    const isOwn = insufficient !== undefined && "scheme" in insufficient && insufficient.scheme === scheme;
    if (isOwn && insufficient.kind === "without") continue;
    const key = isOwn ? INVALID : credentials.keys.get(scheme);
    const carrier = findCarrier(schemes, scheme);
    if (key === undefined || carrier === undefined) continue;
    const shown = isOwn ? INVALID : `$${toVariable(scheme)}`;
    if (carrier.kind === "apiKey") sent[carrier.in].push({ name: carrier.name, value: key, shown });
    else sent.header.push(toAuthorization(carrier.kind, { key, shown, isInvalid: isOwn }));
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
