import type { OAuthFlow, SecurityScheme } from "tenon/core/model";

/** A flow of OAuth 2.0 that a page can go through, and ends with a token. */
export interface Login extends OAuthFlow {
  readonly name: "authorizationCode" | "clientCredentials";
  readonly tokenUrl: string;
}

export function listLogins({ flows }: SecurityScheme): readonly Login[] {
  return flows.filter(isLogin);
}

function isLogin(flow: OAuthFlow): flow is Login {
  const { name, tokenUrl, authorizationUrl } = flow;
  if (tokenUrl === undefined) return false;
  return name === "clientCredentials" || (name === "authorizationCode" && authorizationUrl !== undefined);
}

/** The reader's input for a login. */
export interface Client {
  readonly id: string;
  /** Only `clientCredentials` has one: a page cannot keep that of a login by browser. */
  readonly secret: string;
  readonly scopes: readonly string[];
}

/** Secrets of one login: `state` ties the way back to it, and `verifier` the code (RFC 7636). */
export interface Proof {
  readonly state: string;
  readonly verifier: string;
}

export function createProof(): Proof {
  const createSecret = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  return { state: createSecret(), verifier: createSecret() };
}

/** The address at which the reader logs in (RFC 6749, section 4.1.1; RFC 7636, section 4.3). */
export async function toLoginAddress(
  address: URL,
  { id, scopes }: Client,
  { proof: { state, verifier }, redirect }: { readonly proof: Proof; readonly redirect: string },
): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = {
    response_type: "code",
    client_id: id,
    redirect_uri: redirect,
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    state,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  };
  const result = new URL(address);
  for (const [name, value] of Object.entries(query)) result.searchParams.set(name, value);
  return result.href;
}

/** A request for a token, as a form. */
export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>;
  /** Value of the header. */
  readonly authorization?: string;
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 */
export function exchangeCode(
  code: string,
  { id, verifier, redirect }: { readonly id: string; readonly verifier: string; readonly redirect: string },
): TokenRequest {
  return {
    form: {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirect,
      client_id: id,
      code_verifier: verifier,
    },
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-4.4.2 */
export function useClientCredentials({ id, secret, scopes }: Client): TokenRequest {
  // Section 2.3.1: both are form-encoded before they are joined.
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return {
    form: { grant_type: "client_credentials", ...(scopes.length > 0 && { scope: scopes.join(" ") }) },
    authorization: `Basic ${btoa(`${encode(id)}:${encode(secret)}`)}`,
  };
}

/** A token, and how to get the next one. */
export interface Token {
  readonly token: string;
  /** Says how long it is valid. */
  readonly note: string;
  /** Seconds that it is valid. */
  readonly seconds: number | undefined;
  /** The request for the next one. Default: the reader has to log in again. */
  readonly renewal: TokenRequest | undefined;
}

/**
 * Reads the response to a request for a token.
 * @throws {Error} with the reason why there is none.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-6
 */
export function readToken(status: number, text: string, request: TokenRequest): Token {
  const body = parse(text);
  const { access_token: token, expires_in: seconds, refresh_token: next } = body;
  if (status !== 200 || typeof token !== "string" || token === "")
    throw new Error(`No token: the response is ${status}${describeError(body)}.`);
  const { grant_type: grant, client_id: id = "", refresh_token: last } = request.form;
  // A server may keep the refresh token.
  const refresh = typeof next === "string" ? next : last;
  const form = refresh && { grant_type: "refresh_token", refresh_token: refresh, client_id: id };
  const isTimed = typeof seconds === "number";
  return {
    token,
    note: isTimed ? ` It is valid for ${seconds} s.` : "",
    seconds: isTimed ? seconds : undefined,
    renewal: grant === "client_credentials" ? request : form ? { form } : undefined,
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** `: invalid_scope (The scope is unknown)`; nothing where there is no error code. */
export function describeError({ error, error_description: text }: Readonly<Record<string, unknown>>): string {
  if (typeof error !== "string") return "";
  return `: ${error}${typeof text === "string" ? ` (${text})` : ""}`;
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
