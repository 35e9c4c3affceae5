import type { ClientContract, ClientOperation } from "./contract.js";
import { nameOperation } from "./operation-errors.js";

/**
 * A credential, or a function that returns one. The function is called before every request that needs the credential, so that it
 * can be rotated. When a response is 401, it is called again with the rejected credential, once for all calls that had it. If it
 * returns another one, these calls are repeated once.
 * @example
 * let token = "first";
 * const credential: Credential = async ({ rejected }) => {
 *   if (rejected === token) token = await Promise.resolve("second");
 *   return token;
 * };
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: credential });
 */
export type Credential =
  CredentialValue | ((request: CredentialRequest) => CredentialValue | Promise<CredentialValue>);

/**
 * Why a client asks for a credential.
 * @example
 * const getToken = ({ rejected }: CredentialRequest) => (rejected === undefined ? "cached" : "new");
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: getToken });
 */
export interface CredentialRequest {
  /** The credential that the service has rejected with 401; undefined before a request. */
  readonly rejected?: CredentialValue;
}

/**
 * A token or key, or a user name with its password for basic authentication.
 * @example
 * const key: CredentialValue = "pk_live_1234";
 * const login: CredentialValue = { username: "ada", password: "secret" };
 */
export type CredentialValue = string | { readonly username: string; readonly password: string };

/** Credentials by security scheme. */
export type Credentials = Readonly<Record<string, Credential | undefined>>;

type Pair = readonly [name: string, text: string];

/** Values of credentials by security scheme. */
type CredentialValues = ReadonlyMap<string, CredentialValue>;

export interface SentCredentials {
  /** Values that functions have returned. */
  readonly values: CredentialValues;
  readonly headers: readonly Pair[];
  /** Encoded. */
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
}

/**
 * Formats the credentials of the first of an operation's security alternatives for which all credentials are given. Without such
 * an alternative, no credentials are sent, and the service responds with 401.
 * @param fresh Values that replace those that were rejected.
 */
export async function writeCredentials(
  operation: Pick<ClientOperation, "id" | "security">,
  contract: Pick<ClientContract, "security" | "securitySchemes">,
  credentials: Credentials,
  fresh?: CredentialValues,
): Promise<SentCredentials> {
  const security = operation.security ?? contract.security;
  // Schemes that a request cannot carry, such as `mutualTLS`, need no credential here.
  const wanted = security.map((schemes) =>
    schemes.filter((name) => Object.hasOwn(contract.securitySchemes, name)),
  );
  const alternative = wanted.find((schemes) =>
    schemes.every((name) => getOwn(credentials, name) !== undefined),
  );
  const values = new Map<string, CredentialValue>();
  const headers: Pair[] = [];
  const query: Pair[] = [];
  const cookies: Pair[] = [];
  for (const name of alternative ?? []) {
    const credential = getOwn(credentials, name);
    const place = contract.securitySchemes[name];
    if (credential === undefined || place === undefined) continue;
    const value =
      typeof credential === "function" ? (fresh?.get(name) ?? (await credential({}))) : credential;
    if (typeof credential === "function") values.set(name, value);
    nameOperation(operation.id, () => {
      if ("scheme" in place)
        headers.push(["Authorization", toHeader(name, `${place.scheme} ${toAuthorization(value)}`)]);
      else if (place.in === "header") headers.push([place.name, toHeader(name, toKey(name, value))]);
      else if (place.in === "query")
        query.push([encodeURIComponent(place.name), encodeURIComponent(toKey(name, value))]);
      else cookies.push([place.name, encodeURIComponent(toKey(name, value))]);
    });
  }
  return { values, headers, query, cookies };
}

/** Replaces rejected credentials, once for all calls that had them. */
export class CredentialRefresh {
  readonly #known = new Map<
    string,
    { readonly rejected: string; readonly value: Promise<CredentialValue> }
  >();

  constructor(readonly credentials: Credentials) {}

  /** @returns The new values; undefined if no function returned another one. */
  async refresh(rejected: CredentialValues): Promise<CredentialValues | undefined> {
    const fresh = new Map<string, CredentialValue>();
    for (const [name, old] of rejected) {
      const value = await this.#replace(name, old);
      if (JSON.stringify(value) === JSON.stringify(old)) this.#known.delete(name);
      else fresh.set(name, value);
    }
    return fresh.size > 0 ? fresh : undefined;
  }

  /** Forgets replacements that were rejected too. */
  forget(rejected: CredentialValues): void {
    for (const name of rejected.keys()) this.#known.delete(name);
  }

  async #replace(name: string, old: CredentialValue): Promise<CredentialValue> {
    const text = JSON.stringify(old);
    const known = this.#known.get(name);
    if (known?.rejected === text) return known.value;
    const credential = getOwn(this.credentials, name);
    const value = (async () => (typeof credential === "function" ? credential({ rejected: old }) : old))();
    this.#known.set(name, { rejected: text, value });
    try {
      return await value;
    } catch (error) {
      this.#known.delete(name);
      throw error;
    }
  }
}

/** A name with its password in Base64 (RFC 7617, in UTF-8); anything else as it is. */
function toAuthorization(value: CredentialValue): string {
  if (typeof value === "string") return value;
  const bytes = new TextEncoder().encode(`${value.username}:${value.password}`);
  return btoa(String.fromCharCode(...bytes));
}

function toKey(scheme: string, value: CredentialValue): string {
  if (typeof value === "string") return value;
  throw new TypeError(`The credential of "${scheme}" must be a string`);
}

/** Refuses what `fetch` would refuse with a message that contains the credential. It removes white space at both ends. */
function toHeader(scheme: string, text: string): string {
  if (/[\0\r\n]/.test(text.trim()))
    throw new TypeError(`The credential of "${scheme}" has a line break or NUL, which no header can have`);
  return text;
}

/** Reads an own property: a scheme may have the name of an inherited one, such as `constructor`. */
function getOwn<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
