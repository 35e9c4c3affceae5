import type { ClientContract, ClientOperation } from "./contract.js";

/**
 * A credential, or a function that returns one. The function is called before every call that needs the credential, so that it
 * can be rotated.
 * @example
 * let token = "first";
 * const credential: Credential = () => token;
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: credential });
 * token = "second";
 */
export type Credential = CredentialValue | (() => CredentialValue | Promise<CredentialValue>);

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

export interface SentCredentials {
  readonly headers: readonly Pair[];
  /** Encoded. */
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
}

/**
 * Formats the credentials of the first of an operation's security alternatives for which all credentials are given. Without such
 * an alternative, no credentials are sent, and the service responds with 401.
 */
export async function writeCredentials(
  operation: Pick<ClientOperation, "security">,
  contract: Pick<ClientContract, "security" | "securitySchemes">,
  credentials: Credentials,
): Promise<SentCredentials> {
  const security = operation.security ?? contract.security;
  // Schemes that a request cannot carry, such as `mutualTLS`, need no credential here.
  const wanted = security.map((schemes) =>
    schemes.filter((name) => Object.hasOwn(contract.securitySchemes, name)),
  );
  const alternative = wanted.find((schemes) =>
    schemes.every((name) => getOwn(credentials, name) !== undefined),
  );
  const headers: Pair[] = [];
  const query: Pair[] = [];
  const cookies: Pair[] = [];
  for (const name of alternative ?? []) {
    const credential = getOwn(credentials, name);
    const place = contract.securitySchemes[name];
    if (credential === undefined || place === undefined) continue;
    const value = typeof credential === "function" ? await credential() : credential;
    if ("scheme" in place) headers.push(["Authorization", `${place.scheme} ${toAuthorization(value)}`]);
    else if (place.in === "header") headers.push([place.name, toKey(name, value)]);
    else if (place.in === "query")
      query.push([encodeURIComponent(place.name), encodeURIComponent(toKey(name, value))]);
    else cookies.push([place.name, encodeURIComponent(toKey(name, value))]);
  }
  return { headers, query, cookies };
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

/** Reads an own property: a scheme may have the name of an inherited one, such as `constructor`. */
function getOwn<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
