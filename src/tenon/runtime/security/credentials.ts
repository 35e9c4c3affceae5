import type { TLSSocket } from "node:tls";
import type { Request } from "express";
import type { Operation, SecurityScheme } from "../../core/model/index.js";
import { decodePercent, decodeQueryText, type Pairs } from "../../core/parameters/pairs.js";
import { ValueProblem } from "../../core/parameters/value-problem.js";

/** The credential that a request has for one security scheme. */
export type Credential =
  | { readonly kind: "none" }
  /** Something was sent that cannot be a credential of this scheme. */
  | { readonly kind: "malformed" }
  | { readonly kind: "sent"; readonly value: string };

export interface CredentialSource {
  readonly request: Request;
  /** All values of a header, by its lower-case name; undefined when it is absent. */
  lines(name: string): readonly string[] | undefined;
  readonly query: Pairs;
  readonly cookies: Pairs;
}

export interface CredentialReader {
  read(source: CredentialSource): Credential;
  /** Place of the credential in a request, for error messages. */
  readonly place: string;
  /**
   * The scheme's part of `WWW-Authenticate`, which RFC 9110, section 15.5.2, requires in every 401. No scheme is registered for API keys
   * and client certificates; theirs are our own.
   */
  readonly challenge: (realm: string, error?: "invalid_token") => string;
}

const NONE: Credential = { kind: "none" };
const MALFORMED: Credential = { kind: "malformed" };

/**
 * Creates the reader of a scheme's credential. Parsing is strict: exactly one space, a `token68`, one header.
 * @throws for a type of scheme that OpenAPI does not define.
 */
export function createCredentialReader({ name, credential }: SecurityScheme): CredentialReader {
  switch (credential.kind) {
    case "oauth2":
    case "openIdConnect":
      return BEARER;
    case "http": {
      const scheme = credential.scheme.toLowerCase();
      if (scheme === "bearer") return BEARER;
      return scheme === "basic" ? BASIC : httpReader(credential.scheme);
    }
    case "apiKey":
      return apiKeyReader(credential.name, credential.in);
    case "mutualTLS":
      return MUTUAL_TLS;
    case "unknown":
      throw new Error(
        `Security scheme "${name}" cannot be enforced: want http, apiKey, oauth2, openIdConnect or mutualTLS`,
      );
  }
}

const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** RFC 6750, section 2.1; `error` only when a token was sent (section 3.1). */
const BEARER: CredentialReader = {
  place: "Authorization: Bearer <token>",
  read: (source) => authorization(source, /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i),
  challenge: (realm, error) =>
    `Bearer realm=${quote(realm)}` + (error === undefined ? "" : `, error="${error}"`),
};

/** RFC 7617. The value is the decoded `user:password`. */
const BASIC: CredentialReader = {
  place: "Authorization: Basic <user:password>",
  read(source) {
    const encoded = authorization(source, /^basic ([A-Za-z0-9+/]+=*)$/i);
    if (encoded.kind !== "sent") return encoded;
    const value = decodeBase64(encoded.value);
    return value?.includes(":") === true ? { kind: "sent", value } : MALFORMED;
  },
  challenge: (realm) => `Basic realm=${quote(realm)}, charset="UTF-8"`,
};

/** Decodes UTF-8 in Base64, whose padding may be missing. */
function decodeBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/={1,2}$/, "")), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Any other scheme of HTTP authentication (RFC 9110, section 11.4). The value is what follows its name. */
function httpReader(scheme: string): CredentialReader {
  const form = new RegExp(`^${scheme.replace(/[^\w-]/g, "\\$&")} (\\S.*)$`, "i");
  return {
    place: `Authorization: ${scheme} <credentials>`,
    read: (source) => authorization(source, form),
    challenge: (realm) => `${scheme} realm=${quote(realm)}`,
  };
}

/** RFC 8446, section 4.4.2. The value is the client's certificate in PEM; one that the server does not trust is malformed. */
const MUTUAL_TLS: CredentialReader = {
  place: "a client certificate",
  challenge: (realm) => `ClientCertificate realm=${quote(realm)}`,
  read({ request: { socket } }) {
    // The stream of a tool's call has these members of its caller's connection.
    const { getPeerX509Certificate, authorized } = socket as Partial<TLSSocket>;
    const certificate = getPeerX509Certificate?.call(socket);
    if (certificate === undefined) return NONE;
    return authorized === true ? { kind: "sent", value: certificate.toString() } : MALFORMED;
  },
};

function authorization(source: CredentialSource, form: RegExp): Credential {
  const values = source.lines("authorization");
  if (values === undefined) return NONE;
  const value = values.length === 1 ? form.exec(values[0] ?? "")?.[1] : undefined;
  return value === undefined ? MALFORMED : { kind: "sent", value };
}

/** A key in a header, the query or a cookie. */
function apiKeyReader(name: string, place: "header" | "query" | "cookie"): CredentialReader {
  return {
    place: place === "query" ? `query parameter ${name}` : `${place} ${name}`,
    challenge: (realm) => `ApiKey realm=${quote(realm)}, in="${place}", name=${quote(name)}`,
    read(source) {
      const values =
        place === "header"
          ? source.lines(name.toLowerCase())
          : place === "query"
            ? decodeAll(source.query.get(name), decodeQueryText)
            : decodeAll(source.cookies.get(name), decodePercent);
      if (values === undefined) return NONE;
      const [only] = values;
      return values.length === 1 && only !== undefined && only !== ""
        ? { kind: "sent", value: only }
        : MALFORMED;
    },
  };
}

/** None when one cannot be decoded, so that it counts as malformed. */
function decodeAll(
  values: readonly string[] | undefined,
  decode: (text: string) => string,
): readonly string[] | undefined {
  try {
    return values?.map(decode);
  } catch (error) {
    if (error instanceof ValueProblem) return [];
    throw error;
  }
}

/** Names of the query parameters that carry the operation's credentials. */
export function queryCredentialNames(
  schemes: readonly SecurityScheme[],
  { security }: Pick<Operation, "security">,
): readonly string[] {
  const names = new Set(security.flatMap(Object.keys));
  return schemes.flatMap(({ name, credential }) =>
    names.has(name) && credential.kind === "apiKey" && credential.in === "query" ? [credential.name] : [],
  );
}
