import { delay, http, type HttpHandler } from "msw";
import type { Contract, Operation } from "tenon/core/model";
import { type Handler, type ReceivedRequest, toContract } from "tenon/runtime/portable";
import type { MockOptions } from "../create-mock.js";
import { createMockFetch } from "../mock-fetch.js";
import type { MockHandlers, ResolverOptions } from "./types.js";

/**
 * Options of {@link createHandlers}.
 * @example
 * const options: HandlersOptions = { baseUrl: ["https://api.example.com/v1", "/v1"], seed: "7", delay: [50, 200] };
 * const handlers = createHandlers<Handlers<object, Principals>>(contract, options);
 */
export interface HandlersOptions extends MockOptions {
  /**
   * Addresses of the API with its base path: `https://api.example.com/v1`. In pages they may be relative. Default: the contract's
   * base paths at every origin.
   */
  readonly baseUrl?: string | readonly string[];
  /** Called for each response with a status of 500 or above that no resolver chose. Default: prints the error. */
  readonly onFailure?: (error: unknown, operation: Operation | undefined) => void;
}

type AnyResolver = (call: object) => unknown;

/**
 * Creates handlers for MSW 2 and 3 from a contract, for Node and browsers. Requests are validated as by the service, and requests
 * that violate the contract get its error body. Responses are those of `tenon mock` with the same seed, unless a resolver replies.
 * @typeParam Handlers The `Handlers` of the generated `server.ts`.
 * @param document The generated `contract.json`.
 * @throws {Error} when the document is not an OpenAPI contract.
 * @example
 * const handlers = createHandlers<Handlers<object, Principals>>(contract, { seed: "1" });
 * const server = setupServer(...handlers);
 * server.use(handlers.listPets(({ reply }) => reply[200]([])));
 */
export function createHandlers<Handlers extends object>(
  document: unknown,
  { baseUrl, onFailure = printFailure, ...options }: HandlersOptions = {},
): MockHandlers<Handlers> {
  const contract = toContract(document);
  const { match, respond } = createMockFetch(contract, {
    onBadExample: printBadExample,
    ...options,
    onFailure,
  });
  const toTarget = createTargets(contract, baseUrl);

  const create = (
    isOwn: (found: ReturnType<typeof match>) => boolean,
    resolver: AnyResolver | undefined,
    { once = false, delay: time = 0 }: ResolverOptions = {},
  ): HttpHandler =>
    http.all(
      ({ request }) => {
        const target = toTarget(request.url);
        return target !== undefined && isOwn(match(request.method, target));
      },
      async ({ request, cookies }) => {
        const received = await toReceived(request, cookies, toTarget(request.url) ?? "");
        if (time > 0) await delay(time);
        return respond(received, (own) => (resolver === undefined ? own : toHandler(resolver, request, own)));
      },
      { once },
    );

  const byOperation = contract.operations.map(({ id }) => [
    id,
    (resolver?: AnyResolver, own?: ResolverOptions) =>
      create((found) => found.kind === "operation" && found.operation.id === id, resolver, own),
  ]);
  const all = create((found) => found.kind !== "outside", undefined);
  return Object.assign(Object.fromEntries(byOperation), {
    *[Symbol.iterator]() {
      yield all;
    },
  }) as MockHandlers<Handlers>;
}

/** Creates a handler that calls a resolver, and the operation's own handler if it returns nothing. */
function toHandler(resolver: AnyResolver, sent: Request, own: Handler): Handler {
  return async (parts, reply, context, incoming) => {
    const given = await resolver({ ...parts, reply, request: sent });
    return given === undefined ? own(parts, reply, context, incoming) : given;
  };
}

/** Creates the function that finds the target of a request below the contract's base path; undefined for other addresses. */
function createTargets(
  { basePath }: Contract,
  baseUrl: string | readonly string[] | undefined,
): (address: string) => string | undefined {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const bases = baseUrl === undefined ? undefined : [baseUrl].flat().map((base) => toBase(base, page));
  return (address) => {
    const { origin, pathname, search } = new URL(address);
    if (bases === undefined) return pathname + search;
    for (const base of bases) {
      const prefix = base.pathname.replace(/\/$/, "");
      if (base.origin !== origin || !`${pathname}/`.startsWith(`${prefix}/`)) continue;
      return basePath + pathname.slice(prefix.length) + search;
    }
    return undefined;
  };
}

function toBase(base: string, page: string | undefined): URL {
  if (!URL.canParse(base, page))
    throw new TypeError(`The option baseUrl must be a URL, found ${JSON.stringify(base)}`);
  return new URL(base, page);
}

async function toReceived(
  request: Request,
  cookies: Readonly<Record<string, string>>,
  target: string,
): Promise<ReceivedRequest> {
  const { method } = request;
  const headers = new Headers(request.headers);
  // Pages cannot read the header.
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  if (!headers.has("cookie") && cookie.length > 0) headers.set("cookie", cookie.join("; "));
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  // Without a body, fetch sends the length 0 with these methods.
  const hasLength = bytes.byteLength > 0 || request.body !== null || method === "POST" || method === "PUT";
  return { method, target, headers, bytes: hasLength ? bytes : undefined };
}

function printFailure(error: unknown, operation: Operation | undefined): void {
  // eslint-disable-next-line no-console -- tests and pages have no other log
  console.error(`The mock of ${operation?.id ?? "the contract"} failed:`, error);
}

const printBadExample: NonNullable<MockOptions["onBadExample"]> = ({ operation, pointer, problems }) => {
  // eslint-disable-next-line no-console -- tests and pages have no other log
  console.warn(
    `The mock of "${operation.id}" does not send the example at ${pointer}: ${problems.join("; ")}`,
  );
};
