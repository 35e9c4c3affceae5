import type { ClientContract, ClientOperation } from "./contract.js";

/**
 * What proves who calls: a token or key, or a name with its password. A function is asked before every call that needs it,
 * so that a credential can be replaced while the client lives.
 */
export type Credential = CredentialValue | (() => CredentialValue | Promise<CredentialValue>);

export type CredentialValue = string | { readonly username: string; readonly password: string };

/** By security scheme. */
export type Credentials = Readonly<Record<string, Credential | undefined>>;

type Pair = readonly [name: string, text: string];

export interface SentCredentials {
  readonly headers: readonly Pair[];
  /** Encoded. */
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
}

/**
 * Chooses the first of an operation's security alternatives for which there are all credentials, and writes them. Without
 * one, nothing is sent, and the service says what is missing.
 */
export async function writeCredentials(
  operation: Pick<ClientOperation, "security">,
  contract: Pick<ClientContract, "security" | "securitySchemes">,
  credentials: Credentials,
): Promise<SentCredentials> {
  const security = operation.security ?? contract.security;
  // What no request can carry, such as `mutualTLS`, is not the client's to have.
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
  throw new TypeError(`The credential of "${scheme}" must be a text`);
}

/** A scheme may be called as every object's members are: `constructor`. */
function getOwn<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
