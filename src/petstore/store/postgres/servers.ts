import { Client, type ClientBase } from "pg";
import { StoreOpenError, StoreUnavailableError } from "../store.js";
import { toReason } from "./errors.js";
import { toClientConfig, toTimeout } from "./session.js";

interface ServerState {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/**
 * The values of `target_session_attrs`; each returns why a server is not suitable.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-TARGET-SESSION-ATTRS
 */
const REQUIREMENTS = {
  any: () => undefined,
  "read-write": ({ isReadOnly, isStandby }: ServerState) =>
    isStandby ? "it is a standby" : isReadOnly ? "it is read-only" : undefined,
  "read-only": ({ isReadOnly }: ServerState) => (isReadOnly ? undefined : "it is not read-only"),
  primary: ({ isStandby }: ServerState) => (isStandby ? "it is a standby" : undefined),
  standby: ({ isStandby }: ServerState) => (isStandby ? undefined : "it is not a standby"),
  // A standby is preferred in the search; without one, every server is suitable.
  "prefer-standby": () => undefined,
};

type SessionAttributes = keyof typeof REQUIREMENTS;

/** One server of a `DATABASE_URL`. */
export interface Server {
  /** URL that names only this server. */
  readonly url: string;
  /** Its address without user and password. */
  readonly place: string;
}

/** The servers of a `DATABASE_URL`, such as a primary and its standbys, and the one in use. */
export class Servers {
  /** Address of the database for messages, without user and password. */
  readonly place: string;
  /** True when there is only one server, and nothing is required of it. */
  readonly isFixed: boolean;
  readonly #servers: readonly [Server, ...Server[]];
  readonly #attributes: SessionAttributes;
  #current: Server;
  #isFound: boolean;
  #search: Promise<void> | undefined;

  /** @throws {StoreOpenError} when the text is not a URL, or has an unknown `target_session_attrs`. */
  constructor(url: string) {
    const { urls, attributes } = parseHosts(url);
    const clients = urls.map((single) => toClient(single));
    const places = clients.map(({ host, port }) => toAddress(host, port));
    this.place = `postgres://${places.join(",")}/${clients[0]?.database ?? ""}`;
    this.#servers = urls.map((single, index) => ({ url: single, place: places[index] ?? "" })) as [Server];
    this.#attributes = attributes;
    this.#current = this.#servers[0];
    this.isFixed = urls.length === 1 && attributes === "any";
    this.#isFound = this.isFixed;
  }

  /** The server in use; new connections go there. */
  get current(): Server {
    return this.#current;
  }

  /** Causes the next {@link find} to search, because the current server may not be suitable any more. */
  doubt(server: Server): void {
    if (server === this.#current) this.#isFound = this.isFixed;
  }

  /**
   * Tries the servers in turn, the current one first, unless the current one is known to be suitable.
   * @param connectMs Time for all of them together.
   * @throws {StoreUnavailableError} when none is suitable.
   */
  async find(connectMs: number): Promise<Server> {
    if (!this.#isFound) {
      // Concurrent calls share one search.
      this.#search ??= this.#searchAll(connectMs).finally(() => (this.#search = undefined));
      await this.#search;
    }
    return this.#current;
  }

  /**
   * @param end End of the wait, in the time of `performance.now()`.
   * @throws {StoreUnavailableError} when a connection is not to a suitable server.
   */
  async assertSuitable(client: ClientBase, end: number): Promise<void> {
    if (this.#attributes === "any" || this.#attributes === "prefer-standby") return;
    const problem = REQUIREMENTS[this.#attributes](await readState(client, end));
    if (problem !== undefined) throw new StoreUnavailableError(problem);
  }

  async #searchAll(connectMs: number): Promise<void> {
    const start = this.#servers.indexOf(this.#current);
    const inTurn = [...this.#servers.slice(start), ...this.#servers.slice(0, start)];
    const limitMs = Math.ceil(connectMs / inTurn.length);
    const problems: string[] = [];
    const passes: readonly SessionAttributes[] =
      this.#attributes === "prefer-standby" ? ["standby", "any"] : [this.#attributes];
    for (const attributes of passes) {
      for (const server of inTurn) {
        const problem = await findProblem(server, attributes, limitMs);
        if (problem === undefined) {
          this.#current = server;
          this.#isFound = true;
          return;
        }
        problems.push(`${server.place}: ${problem}`);
      }
    }
    throw new StoreUnavailableError(
      `no server is suitable for target_session_attrs=${this.#attributes} (${[...new Set(problems)].join("; ")})`,
    );
  }
}

/** Connects to a server and returns why it is not suitable. */
async function findProblem(
  { url }: Server,
  attributes: SessionAttributes,
  connectMs: number,
): Promise<string | undefined> {
  const end = performance.now() + connectMs;
  const client = new Client(toClientConfig(url, connectMs));
  client.on("error", () => undefined);
  try {
    await client.connect();
    if (attributes === "any") return undefined;
    return REQUIREMENTS[attributes](await readState(client, end));
  } catch (error) {
    return toReason(error);
  } finally {
    await client.end();
  }
}

async function readState(client: ClientBase, end: number): Promise<ServerState> {
  const statement = {
    text: `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
    ...toTimeout(end),
  };
  const { rows } = await client.query<ServerState>(statement);
  const [state] = rows;
  if (state === undefined) throw new TypeError("The server did not return its state");
  return state;
}

/**
 * Splits a URL with several hosts into one URL per host, because the driver reads only one. A URL with one host and without
 * `target_session_attrs` stays as it is.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
function parseHosts(url: string): {
  readonly urls: readonly string[];
  readonly attributes: SessionAttributes;
} {
  const [, scheme = "", user = "", authority = "", path = "", query = ""] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const attributes = parameters.get("target_session_attrs");
  const named = authority.split(",").map(toHostAndPort);
  const hosts = parameters.get("host")?.split(",") ?? named.map(({ host }) => host);
  const ports = parameters.get("port")?.split(",") ?? named.map(({ port }) => port);
  if (hosts.length === 1 && ports.length === 1 && attributes === null)
    return { urls: [url], attributes: "any" };
  if (attributes !== null && !Object.hasOwn(REQUIREMENTS, attributes)) {
    throw new StoreOpenError(
      `Cannot read DATABASE_URL: target_session_attrs must be one of ${Object.keys(REQUIREMENTS).join(", ")}.`,
    );
  }
  if (ports.length !== 1 && ports.length !== hosts.length) {
    throw new StoreOpenError(
      `Cannot read DATABASE_URL: it has ${hosts.length} hosts and ${ports.length} ports; give one port for all, or one per host.`,
    );
  }
  for (const name of ["target_session_attrs", "host", "port"]) parameters.delete(name);
  const urls = hosts.map((host, index) => {
    const own = new URLSearchParams(parameters);
    const port = ports.length === 1 ? ports[0] : ports[index];
    if (host !== "") own.set("host", host);
    if (port) own.set("port", port);
    return `${scheme}${user}${path === "" ? "/" : path}?${own.toString()}`;
  });
  return { urls, attributes: (attributes ?? "any") as SessionAttributes };
}

/** Parses `host:port`, where an IPv6 address is in brackets. */
function toHostAndPort(text: string): { readonly host: string; readonly port: string } {
  const [match, bracketed, plain = "", port = ""] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(text) ?? [];
  try {
    if (match !== undefined) return { host: bracketed ?? decodeURIComponent(plain), port };
  } catch {
    // Not percent-encoded correctly.
  }
  throw createUrlError();
}

function toClient(url: string): Client {
  try {
    return new Client({ connectionString: url });
  } catch {
    // No `cause`: its message may quote the password.
    throw createUrlError();
  }
}

function createUrlError(): StoreOpenError {
  return new StoreOpenError("Cannot read DATABASE_URL: a character of it may have to be percent-encoded.");
}

function toAddress(host: string, port: number): string {
  if (host.startsWith("/")) return host;
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
