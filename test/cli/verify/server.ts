import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Fault } from "./faults.js";
import { findWrong, type Has, KINDS } from "./rules.js";

export const KEY = "a-key-of-the-things";
export const PIN = "4711-4711";

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly count: number;
  readonly [name: string]: unknown;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Call {
  readonly method: string;
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly text: string;
}

/**
 * Serves things.yaml, written by hand on nothing but Node. The correct server also does what no contract says: names are taken
 * once, parents have to exist, cursors are its own, and now and then it is too busy.
 * @param sparse Knows no HEAD, and no method that is not declared.
 */
export function createThings(fault?: Fault, sparse = false): Server {
  const has: Has = (one) => one === fault;
  const service = createService(has);
  let calls = 0;
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      calls += 1;
      const url = new URL(request.url ?? "/", "http://things");
      const call = {
        method: request.method ?? "",
        url,
        request,
        text: Buffer.concat(chunks).toString("utf8"),
      };
      const isLeftOut = sparse && !["GET", "POST", "PUT", "DELETE"].includes(call.method);
      const reply = calls % 50 === 0 ? BUSY : isLeftOut ? { status: 501 } : service(call);
      if (reply === undefined) request.socket.destroy();
      else write(reply, call, response, has);
    });
  });
}

const BUSY: Reply = {
  status: 429,
  headers: { "retry-after": "0" },
  body: { code: "busy", message: "Not now" },
};

function write(
  { status, headers = {}, body }: Reply,
  { method }: Call,
  response: ServerResponse,
  has: Has,
): void {
  const isText = typeof body === "string";
  const text = body === undefined ? "" : isText ? body : JSON.stringify(body);
  let type = isText ? "text/plain; charset=utf-8" : "application/json";
  if (status >= 400 && has("answers errors as HTML")) type = "text/html";
  if (method === "HEAD" && has("answers HEAD with another type")) type = "text/html";
  const isLonger = method === "HEAD" && has("answers HEAD with another length");
  const length = Buffer.byteLength(text) + (isLonger ? 1 : 0);
  // HEAD may leave it out.
  const isTold = method !== "HEAD" || isLonger;
  response.writeHead(status, {
    ...(text !== "" && { "content-type": type, ...(isTold && { "content-length": length }) }),
    ...headers,
  });
  response.end(text);
}

function createService(has: Has): (call: Call) => Reply | undefined {
  const things = new Map<number, Thing>();
  let last = 0;

  const fail = (status: number, message: string, headers = {}): Reply => ({
    status: status === 401 && has("answers 403 for 401") ? 403 : status,
    headers,
    body: { ...(!has("has errors without a code") && { code: "wrong" }), message: decorate(message) },
  });
  const decorate = (message: string): string => {
    if (has("shows its stack")) return new Error(message).stack ?? message;
    if (has("shows its statements")) return `${message}: SELECT * FROM things WHERE id = $1`;
    return has("shows its folders") ? `${message} in /home/things/server/index.js` : message;
  };

  const isIn = ({ headers }: IncomingMessage) => {
    const { authorization } = headers;
    return authorization === `Bearer ${KEY}` || (has("lets any key in") && authorization !== undefined);
  };

  const show = ({ secret, ...thing }: Thing): Record<string, unknown> => ({
    ...thing,
    ...(!KINDS.includes(String(thing["kind"])) && { kind: undefined }),
    ...(has("has ids of text") && { id: String(thing.id) }),
    ...(has("tells what is writeOnly") && secret !== undefined && { secret }),
    createdAt: has("has a time that is none") ? "yesterday" : "2026-11-21T12:00:00Z",
  });

  const list = ({ url: { searchParams: query } }: Call): Reply | undefined => {
    const limitText = query.get("limit") ?? "10";
    const [limit, kind, after] = [Number(limitText), query.get("kind"), query.get("after")];
    const most = has("refuses the greatest limit") ? 49 : 50;
    const isLimit = /^\d+$/.test(limitText) && limit >= 1 && (limit <= most || has("takes any limit"));
    if (!isLimit) return fail(400, "limit is from 1 to 50");
    if (kind !== null && !KINDS.includes(kind)) return fail(400, "kind is not known");
    const least = query.get("minCount");
    if (least !== null && !/^\d+$/.test(least)) return fail(400, "minCount is an integer");
    if (kind === "food" && has("hangs up on food")) return undefined;
    if (after !== null && !/^after-\d+$/.test(after)) return fail(400, "after is no cursor");
    const start = after === null ? 0 : Number(after.slice("after-".length));
    const all = [...things.values()].filter(
      (thing) => (kind === null || thing["kind"] === kind) && thing.count >= Number(least ?? 0),
    );
    const left = all.filter(({ id }) => id > start).sort((a, b) => a.id - b.id);
    const longer =
      has("has longer pages than asked for") || (has("has longer pages by default") && !query.has("limit"));
    const page = left.slice(0, longer ? limit + 1 : limit);
    const { id: end = 0 } = page.at(-1) ?? {};
    const step = has("skips one thing between pages") ? 1 : has("has one thing on two pages") ? -1 : 0;
    const cursor = has("has pages in a circle") ? Math.max(start, things.size > 30 ? 0 : start) : end + step;
    query.set("after", `after-${cursor}`);
    const items = page
      .map(show)
      .map(({ count, ...thing }) => (has("lists without count") ? thing : { ...thing, count }));
    const total = has("has an X-Total that is no number") ? "many" : String(all.length);
    const address = has("links to a next page that is no URL")
      ? "http://[half"
      : `/api/things?${query.toString()}`;
    const next = left.length > page.length ? { link: `<${address}>; rel="next"` } : {};
    const headers = { ...(!has("has no X-Total") && { "x-total": total }), ...next };
    return { status: 200, headers, body: has("has pages in a circle") && after !== null ? [] : items };
  };

  const save = ({ request, text }: Call, id: number | undefined): Reply => {
    const batch = request.headers["x-batch"];
    if (
      id === undefined &&
      batch !== undefined &&
      !/^[a-z]{1,8}$/.test(String(batch)) &&
      !has("takes any batch")
    ) {
      return fail(400, "X-Batch is of small letters");
    }
    const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
    if (!isJson && !has("takes any media type")) return fail(415, "want JSON");
    const given = parse(text, has);
    const wrong = findWrong(given, has);
    if (wrong !== undefined) return fail(400, wrong);
    const thing = given as Readonly<Record<string, unknown>> & { readonly name: string };
    const { name, parentId } = thing;
    if (thing["note"] === null && has("fails for null")) return fail(500, "null");
    if (name.length === 20 && has("fails for the longest name")) return fail(500, "long");
    if (parentId !== undefined && !things.has(parentId as number)) return fail(400, "no such parent");
    const taken = [...things.values()].some((other) => other.name === name && other.id !== id);
    if (taken) return fail(409, "the name is taken");
    const own = id ?? (last += 1);
    const kept = {
      ...thing,
      id: own,
      count: (Number(thing["count"]) || 0) + (has("creates another count") ? 1 : 0),
    } as Thing;
    things.set(own, kept);
    if (id !== undefined) return { status: 200, body: show(kept) };
    if (has("creates without an answer's body")) return { status: 201 };
    return { status: has("answers 202 for 201") ? 202 : 201, body: show(kept) };
  };

  const onThing = (call: Call, text: string): Reply => {
    if (!/^[1-9]\d*$/.test(text)) return fail(400, "an id is an integer");
    const thing = things.get(Number(text));
    if (thing === undefined) return fail(404, "there is no such thing");
    if (call.method === "PUT") return save(call, thing.id);
    if (call.method === "DELETE") {
      if (has("fails to delete")) return fail(500, "no");
      things.delete(thing.id);
      return { status: 204 };
    }
    if (has("cannot read what it creates")) return fail(404, "there is no such thing");
    if (has("answers a thing as text")) return { status: 200, body: JSON.stringify(show(thing)) };
    return {
      status: 200,
      body: show(has("keeps another count") ? { ...thing, count: thing.count + 1 } : thing),
    };
  };

  const old = (): Reply => ({
    status: 200,
    headers: {
      ...(!has("tells of no deprecation") && {
        deprecation: has("writes Deprecation as a date") ? "Thu, 01 Jan 2026 00:00:00 GMT" : "@1767225600",
      }),
      sunset: has("has a sunset on another day")
        ? "Wed, 02 Jan 2036 00:00:00 GMT"
        : "Tue, 01 Jan 2036 00:00:00 GMT",
      link: '</api/things>; rel="successor-version"',
    },
    body: { total: things.size },
  });

  const openVault = ({ request: { headers } }: Call): Reply => {
    const pin = headers["x-pin"];
    const isRight =
      pin === PIN ||
      (pin === undefined ? has("opens the vault without a pin") : has("opens the vault to any pin"));
    if (!isRight) return fail(401, "the pin is wrong");
    return {
      status: 200,
      headers: { "content-type": "text/plain" },
      body: has("has silver in its vault") ? "silver" : "gold",
    };
  };

  const notAllowed = (methods: readonly string[]): Reply => {
    const told = has("forgets a method in Allow") ? methods.slice(1) : methods;
    const allow = [...told, ...(has("allows what is not declared") ? ["PATCH"] : [])].join(", ");
    return fail(405, "no such method", has("has no Allow") ? {} : { allow });
  };

  return (call) => {
    const { url, request } = call;
    const method = call.method === "HEAD" ? "GET" : call.method;
    const path = url.pathname.replace(/^\/api/, "");
    const [, id] = /^\/things\/([^/]+)$/.exec(path) ?? [];
    const methods =
      { "/things": ["GET", "POST"], "/old": ["GET"], "/vault": ["GET"] }[path] ??
      (id === undefined ? [] : ["GET", "PUT", "DELETE"]);
    if (methods.length === 0) return fail(404, "there is no such path");
    if (!methods.includes(method)) {
      return method === "PATCH" && has("answers what is not declared")
        ? { status: 200, body: {} }
        : notAllowed(methods);
    }
    if (path === "/old") return old();
    if (!isIn(request) && !(path === "/things" && method === "GET" && has("lists to anybody")))
      return fail(401, "who are you?");
    if (path === "/vault") return openVault(call);
    if (id !== undefined) return onThing(call, id);
    return method === "POST" ? save(call, undefined) : list(call);
  };
}

function parse(text: string, has: Has): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return has("takes broken JSON") ? parse(`${text.replace(/,*$/, "")}}`, () => false) : undefined;
  }
}
