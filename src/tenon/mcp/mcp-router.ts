import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Request, RequestHandler, Response as ExpressResponse } from "express";
import { isLoopback } from "../core/http/loopback.js";
import { createJsonReader } from "../runtime/body/body.js";
import { HttpError } from "../runtime/errors/http-error.js";
import { type ContractRouter, getEnforcement } from "../runtime/routing/router.js";
import { createInProcessSender } from "./in-process.js";
import { createRefusal, createResourceMetadata, METADATA_PATH } from "./resource-metadata.js";
import { toProblems } from "./tool-result.js";
import type { Send } from "./tool-server.js";
import {
  authenticateFirst,
  countMessage,
  type CountMessage,
  isToolCall,
  listAuthentications,
} from "./callers.js";
import { createTools, isOffered, readToolSettings } from "./tools.js";

/**
 * The options of {@link createMcpRouter}.
 * @example
 * const options: McpOptions = { tags: ["reports"], origins: ["https://agents.example"] };
 * app.use("/mcp", createMcpRouter(api, options));
 */
export interface McpOptions {
  /** Operations with one of these tags are tools, too, unless they are deprecated, `x-internal` or `x-mcp: false`. Default: none. */
  readonly tags?: readonly string[];
  /** Web pages that may call: `https://agents.example`. Default: those of this machine, on this machine. */
  readonly origins?: readonly string[];
  /** Values of `Host` that are accepted, without ports. Default: all. */
  readonly hosts?: readonly string[];
  /**
   * Issuers of the tokens that the tools accept, for clients of OAuth 2.0. Default: those that the security schemes of the contract
   * name by their metadata, or the origins of their flows.
   */
  readonly authorizationServers?: readonly string[];
  /** More tools than this are not listed: a model gets two tools, which find and call them. Default: 60. */
  readonly maxTools?: number;
  /** Characters of text that a result may have at once; longer ones are read in parts. Default: 20,000. */
  readonly maxText?: number;
  /**
   * Maximum size of a message, in bytes, which includes files in Base64. Default: the `bodyLimit` of the API, because JSON takes time in
   * proportion to its size, in which the process does nothing else.
   */
  readonly bodyLimit?: number;
  /** Bytes of a response that are read. Default: 4 MiB. */
  readonly maxBody?: number;
  /** Milliseconds after which a response that goes on, such as a stream of events, is left. Default: 20,000. */
  readonly maxTime?: number;
}

/**
 * Creates the middleware that offers operations of a contract as tools to agents, over the Model Context Protocol (Streamable HTTP
 * without sessions, revisions 2025-06-18 to 2026-07-28).
 *
 * Only operations with `x-mcp` are tools, and those with one of the `tags`. A call is a request to the app that the middleware is
 * mounted in: it has the caller's own credentials and passes through everything that a request from outside passes through. Without a
 * credential that one of the tools accepts, every request is refused.
 * @param api What the generated `createApi` returned. It must be mounted in the same app.
 * @throws {TypeError} when `api` is something else.
 * @throws {Error} when `@modelcontextprotocol/server` is not installed.
 * @example
 * const api = createApi({ ...errors, handlers, authenticators });
 * app.use(api);
 * app.use("/mcp", createMcpRouter(api));
 */
export function createMcpRouter(api: ContractRouter, options: McpOptions = {}): RequestHandler {
  const { contract, authenticate, admit, ...limits } = getEnforcement(api);
  const { tags = [], maxTools = 60, maxText = 20_000, maxBody = 4_194_304, maxTime = 20_000 } = options;
  const offered = contract.operations.filter((operation) => {
    const settings = readToolSettings(operation, contract);
    const isTagged = operation.tags.some((tag) => tags.includes(tag)) && isOffered(operation, contract);
    return settings === undefined ? isTagged : settings !== false;
  });
  const { title: name, version } = contract;
  const readMessage = createMessageReader(options.bodyLimit ?? limits.bodyLimit);
  const metadata = createResourceMetadata(contract, offered, options.authorizationServers);
  const calls = new AsyncLocalStorage<Call>();
  const toHeaders = createForwarding(contract.securitySchemes.map(({ credential }) => credential));
  const senders = new WeakMap<object, ReturnType<typeof createInProcessSender>>();

  const send: Send = async (tool, request, { signal, watch }) => {
    const call = calls.getStore();
    if (call === undefined) throw new Error("The call has no request");
    const { caller } = call;
    call.count.isDone = true;
    const app = caller.app as unknown as Parameters<typeof createInProcessSender>[0];
    const sender = senders.get(app) ?? createInProcessSender(app, { maxBody, maxTime });
    senders.set(app, sender);
    const { headers, query } = toHeaders(caller);
    const { basePaths = [contract.basePath] } = tool.operation;
    const base = `${basePaths[0] ?? ""}${request.target}`;
    const target = query === "" ? base : `${base}${base.includes("?") ? "&" : "?"}${query}`;
    const { violations, ...response } = await sender(
      { ...request, target, headers: [...headers, ...request.headers] },
      caller,
      signal,
      watch,
    );
    const challenge = response.headers.get("www-authenticate") ?? undefined;
    const completed = metadata?.complete({ status: response.status, challenge }, caller, [tool.operation]);
    if (completed) call.refusal = createRefusal(response.status, completed);
    return { response, problems: toProblems(tool, violations) };
  };

  assertInstalled();
  // Loaded for the first call: most of what the service needs of memory at rest would be this.
  let loading: Promise<McpHttpHandler> | undefined;
  const load = async (): Promise<McpHttpHandler> => {
    const { createToolHandler } = await import("./tool-server.js");
    const tools = createTools(contract, offered);
    return createToolHandler({ name, version, tools, maxTools, maxText }, send);
  };
  const ways = listAuthentications(offered);
  return async (request, response, next) => {
    try {
      if (metadata !== undefined && request.path === METADATA_PATH && request.method === "GET") {
        // Public by its purpose: pages read it before they have a token.
        response.set("Access-Control-Allow-Origin", "*").json(metadata.describe(request));
        return;
      }
      assertTrusted(request, options);
      const authenticated = await authenticateFirst(ways, request, authenticate).catch((error: unknown) => {
        if (!(error instanceof HttpError)) throw error;
        const { status, headers } = error;
        const challenge = headers["WWW-Authenticate"]?.toString();
        const completed = metadata?.complete({ status, challenge }, request, ways);
        throw completed ? createRefusal(status, completed) : error;
      });
      const count = countMessage(admit, { ...authenticated, request, response });
      const message = await readMessage(request).catch(async (error: unknown) => {
        await count.now();
        throw error;
      });
      if (!isToolCall(message)) await count.now();
      loading ??= load();
      const handler = await loading;
      const call: Call = { caller: request, refusal: undefined, count };
      await calls.run(call, async () => {
        const options = message === undefined ? {} : { parsedBody: message };
        await sendWeb(await handler.fetch(toWebRequest(request, response), options), response, call);
      });
    } catch (error) {
      next(error);
    }
  };
}

/** @returns the function that reads a message; undefined for a request without one. */
function createMessageReader(bodyLimit: number | undefined) {
  const readJson = createJsonReader(bodyLimit);
  return async (request: Request): Promise<unknown> => {
    const message = request.method === "POST" ? await readJson(request) : undefined;
    // Removed from the protocol in revision 2025-06-18: all calls of a batch would be made at once.
    if (Array.isArray(message))
      throw new HttpError("invalid_body", { message: "Messages must be sent one by one, not in a list" });
    return message;
  };
}

/** A request to the tools. */
interface Call {
  readonly caller: Request;
  /** Set when the operation refused the caller's token: the client has to get another. */
  refusal: HttpError | undefined;
  readonly count: CountMessage;
}

function assertInstalled(): void {
  try {
    createRequire(import.meta.url).resolve("@modelcontextprotocol/server");
  } catch (cause) {
    throw new Error("Install @modelcontextprotocol/server, which speaks the protocol of the tools", {
      cause,
    });
  }
}

/** Refuses what a web page sends that was not allowed: it may have been opened under a name that leads to this machine. */
function assertTrusted({ headers }: Request, { origins = [], hosts }: McpOptions): void {
  const { origin, host = "" } = headers;
  const hostname = host.replace(/:\d+$/, "");
  if (hosts !== undefined && !hosts.includes(hostname))
    throw new HttpError("forbidden", { message: `This service does not accept the host "${hostname}"` });
  if (origin === undefined || origins.includes(origin)) return;
  const isLocal = URL.canParse(origin) && isLoopback(new URL(origin).hostname) && isLoopback(hostname);
  if (!isLocal) throw new HttpError("forbidden", { message: "Pages of this origin may not call the tools" });
}

/** Headers that say where a request comes from, which a service may trust from its proxy. */
const FORWARDED = [
  "host",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "traceparent",
  "tracestate",
];

/** Creates the function that chooses what of the caller's request goes on to an operation: its credentials, and where it comes from. */
function createForwarding(
  credentials: readonly { readonly kind: string; readonly in?: string; readonly name?: string }[],
) {
  const own = (place: string) =>
    credentials.flatMap((one) => (one.kind === "apiKey" && one.in === place ? [one.name ?? ""] : []));
  const names = new Set([...FORWARDED, "authorization", ...own("header").map((name) => name.toLowerCase())]);
  const cookies = own("cookie");
  const queries = new Set(own("query"));
  return ({ headers, originalUrl }: Request) => {
    const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      names.has(name) && value !== undefined ? [[name, String(value)]] : [],
    );
    const pairs = (headers.cookie ?? "")
      .split(/; */)
      .filter((pair) => cookies.includes(pair.split("=")[0] ?? ""));
    const search = new URLSearchParams(/\?(.*)$/.exec(originalUrl)?.[1] ?? "");
    const query = [...search].filter(([name]) => queries.has(name));
    return {
      headers: [
        ...kept,
        ["accept", "application/json, */*;q=0.5"] as const,
        ...(pairs.length > 0 ? [["cookie", pairs.join("; ")] as const] : []),
      ],
      query: new URLSearchParams(query).toString(),
    };
  };
}

function toWebRequest(request: Request, response: ExpressResponse): globalThis.Request {
  const { method, rawHeaders } = request;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  const abort = new AbortController();
  response.on("close", () => {
    abort.abort();
  });
  // The body is read already.
  return new globalThis.Request("http://service.invalid/mcp", {
    method,
    headers,
    signal: abort.signal,
  });
}

async function sendWeb(web: globalThis.Response, response: ExpressResponse, call: Call): Promise<void> {
  const body = web.body?.[Symbol.asyncIterator]() as AsyncIterator<Uint8Array> | undefined;
  // The response may be a stream that begins before the call has ended.
  const first = await body?.next();
  try {
    // A call that made no request: an unknown tool, a search, or arguments that are refused.
    await call.count.now();
    if (call.refusal !== undefined) throw call.refusal;
  } catch (error) {
    await body?.return?.();
    throw error;
  }
  response.status(web.status);
  web.headers.forEach((value, name) => {
    response.append(name, value);
  });
  if (body === undefined || first === undefined || first.done === true) {
    response.end();
    return;
  }
  const rest = { [Symbol.asyncIterator]: () => body };
  response.write(first.value);
  try {
    await pipeline(Readable.from(rest), response);
  } catch (error) {
    // The client has left.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}
