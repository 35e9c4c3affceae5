import type { SecurityRequirement } from "tenon/core/legacy/model";
import type { Target, TargetOperation } from "../target.js";

/** What the user gave to be let in. */
export interface Credentials {
  /** By security scheme: a token, a key, or `name:password`. */
  readonly keys: ReadonlyMap<string, string>;
  /** Sent with every request, whatever the contract says. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What a request shows of its credentials. */
export type Proof =
  | { readonly kind: "given" }
  | { readonly kind: "none" }
  /** Those of a requirement but one. */
  | { readonly kind: "without"; readonly scheme: string; readonly requirement: SecurityRequirement }
  /** One of them is nobody's. */
  | { readonly kind: "wrong"; readonly scheme: string; readonly requirement: SecurityRequirement };

export const GIVEN: Proof = { kind: "given" };

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

const NOBODY = "surely-nobodys-credential";

/** Environment variable that a credential is read from, and what stands for it in reports. */
export function toVariable(scheme: string): string {
  const words = scheme.replace(/([a-z\d])([A-Z])/g, "$1_$2").replace(/[^A-Za-z\d]+/g, "_");
  return `TENON_AUTH_${words.toUpperCase()}`;
}

/** What stands in reports for a header that the user gave. */
export function toHeaderVariable(name: string): string {
  return `TENON_AUTH_${name.toUpperCase().replaceAll(/[^A-Z\d]+/g, "_")}`;
}

/**
 * The first alternative that the user has all credentials for; one that wants some before one that wants none.
 * @returns undefined when there is none.
 */
export function chooseRequirement(
  { security }: Pick<TargetOperation, "security">,
  { schemes }: Pick<Target, "schemes">,
  { keys }: Credentials,
): SecurityRequirement | undefined {
  const canSend = (name: string) => keys.has(name) && schemes.get(name)?.kind !== "other";
  const known = security.filter((requirement) => Object.keys(requirement).every(canSend));
  return known.find((requirement) => Object.keys(requirement).length > 0) ?? known[0];
}

/** Whether the service lets this request pass as far as the contract says. */
export function canEnter(
  operation: TargetOperation,
  target: Pick<Target, "schemes">,
  credentials: Credentials,
): boolean {
  if (operation.security.length === 0) return true;
  if (chooseRequirement(operation, target, credentials) !== undefined) return true;
  // The user knows better how to get in.
  return credentials.headers.length > 0;
}

export function writeCredentials(
  operation: TargetOperation,
  { schemes }: Target,
  credentials: Credentials,
  proof: Proof,
): SentCredentials {
  const requirement =
    proof.kind === "without" || proof.kind === "wrong"
      ? proof.requirement
      : proof.kind === "given"
        ? (chooseRequirement(operation, { schemes }, credentials) ?? {})
        : {};
  const sent = { headers: [] as SentPair[], query: [] as SentPair[], cookies: [] as SentPair[] };
  for (const [name, value] of credentials.headers) {
    if (proof.kind !== "given" && isCredentialHeader(name, operation, schemes)) continue;
    sent.headers.push({ name, value, shown: `$${toHeaderVariable(name)}` });
  }
  for (const name of Object.keys(requirement)) {
    if (proof.kind === "without" && proof.scheme === name) continue;
    const isWrong = proof.kind === "wrong" && proof.scheme === name;
    const key = isWrong ? NOBODY : credentials.keys.get(name);
    if (key === undefined) continue;
    const shown = isWrong ? NOBODY : `$${toVariable(name)}`;
    const scheme = schemes.get(name);
    if (scheme?.kind === "bearer") {
      sent.headers.push({ name: "Authorization", value: `Bearer ${key}`, shown: `Bearer ${shown}` });
    } else if (scheme?.kind === "basic") {
      const value = toBase64(isWrong ? `${key}:${key}` : key);
      const hidden = isWrong ? value : `$(printf %s "${shown}" | base64)`;
      sent.headers.push({ name: "Authorization", value: `Basic ${value}`, shown: `Basic ${hidden}` });
    } else if (scheme?.kind === "key") {
      const list = { header: sent.headers, query: sent.query, cookie: sent.cookies }[scheme.in];
      list.push({ name: scheme.name, value: key, shown });
    }
  }
  return sent;
}

/** In UTF-8 (RFC 7617). */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** With `--header` the user may give what a security scheme asks for. */
function isCredentialHeader(
  name: string,
  { security }: TargetOperation,
  schemes: Target["schemes"],
): boolean {
  const lower = name.toLowerCase();
  return security
    .flatMap((requirement) => Object.keys(requirement))
    .some((scheme) => {
      const found = schemes.get(scheme);
      if (found?.kind !== "key") return lower === "authorization";
      return found.in === "cookie" ? lower === "cookie" : found.name.toLowerCase() === lower;
    });
}
