import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { isIPv4 } from "node:net";
import type { CheckName } from "../../../src/cli/verify/checks/index.js";

export const KEY = "a-key-of-the-bookings";

/** Faults that a server of bookings.yaml can have, and the only check that has to report it, once. */
export const BOOKING_FAULTS = {
  "accepts any type": "refused",
  "accepts a body without a required member": "refused",
  "accepts any uuid": "refused",
  "accepts any date": "refused",
  "accepts any date-time": "refused",
  "accepts any email": "refused",
  "accepts any int32": "refused",
  "accepts any ipv4": "refused",
  "accepts any uri": "refused",
  "accepts less than the minimum": "refused",
  "accepts more than the maximum": "refused",
  "accepts any minLength": "refused",
  "accepts any maxLength": "refused",
  "accepts any pattern": "refused",
  "accepts any enum": "refused",
  "accepts a form without a required part": "refused",
  "accepts a form without its only part": "refused",
  "accepts a form without a required field": "refused",
  "responds with an undeclared status": "status",
  "responds with another content type": "content-type",
  "omits a required member": "body",
  "responds with a wrong branch": "body",
  "sends an undeclared member": "undeclared",
  "omits a header": "headers",
  "ignores credentials": "auth",
  "sends no Allow": "method",
  "does not store a PUT": "replaced",
  "stores a PUT in part": "replaced",
  "does not store a PUT whose id is in the body": "replaced",
  "finds what was deleted": "deleted",
  "finds deleted documents": "deleted",
  "cannot find documents": "created",
} as const satisfies Readonly<Record<string, CheckName>>;

export type BookingFault = keyof typeof BOOKING_FAULTS;

export interface BookingsOptions {
  readonly faults?: readonly BookingFault[];
  /** Reads after a change that still have the old state, as a replica's may. */
  readonly lag?: number;
}

type Booking = Readonly<Record<string, unknown>>;

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a member must be, each with the fault that leaves it out. Absent members are right. */
const RULES: readonly (readonly [
  fault: BookingFault,
  member: string,
  isRight: (value: unknown) => boolean,
])[] = [
  ...["name", "room", "code", "agency", "arrival", "bookedAt", "email", "address", "site", "pin"].map(
    (member) => ["accepts any type", member, (value: unknown) => typeof value === "string"] as const,
  ),
  ["accepts any type", "guests", Number.isInteger],
  ["accepts any type", "nights", Number.isInteger],
  ["accepts any int32", "guests", (value) => !(Math.abs(Number(value)) >= 2 ** 31)],
  ["accepts less than the minimum", "guests", (value) => !(Number(value) < 1)],
  ["accepts less than the minimum", "nights", (value) => !(Number(value) < 1)],
  ["accepts more than the maximum", "nights", (value) => !(Number(value) > 30)],
  ["accepts any minLength", "name", (value) => Array.from(String(value)).length >= 2],
  ["accepts any maxLength", "name", (value) => Array.from(String(value)).length <= 20],
  ...(
    [
      ["accepts any pattern", "code", (text) => /^[A-Z]{3}$/.test(text)],
      ["accepts any enum", "room", (text) => ["single", "double", "suite"].includes(text)],
      ["accepts any uuid", "agency", (text) => /^[\da-f-]{36}$/i.test(text)],
      ["accepts any date", "arrival", isDate],
      ["accepts any date-time", "bookedAt", (text) => text.includes("T") && !Number.isNaN(Date.parse(text))],
      ["accepts any email", "email", (text) => text.includes("@")],
      ["accepts any ipv4", "address", isIPv4],
      ["accepts any uri", "site", (text) => URL.canParse(text)],
    ] satisfies (readonly [BookingFault, string, (text: string) => boolean])[]
  ).map(
    ([fault, member, isRight]) =>
      [fault, member, (value: unknown) => typeof value !== "string" || isRight(value)] as const,
  ),
];

/** Serves bookings.yaml, written by hand. It also does what services do: it trims names, lowers e-mail addresses, and computes. */
export function createBookings({ faults = [], lag = 0 }: BookingsOptions = {}): Server {
  const has = (fault: BookingFault): boolean => faults.includes(fault);
  const bookings = new Map<string, Booking>();
  const past = new Map<string, { readonly booking: Booking | undefined; left: number }>();
  const documents = new Set<number>();
  const rooms = new Map<number, Booking>();
  let last = 0;
  const change = (id: string, booking: Booking | undefined): void => {
    past.set(id, { booking: bookings.get(id), left: bookings.has(id) ? lag : 0 });
    if (booking === undefined) bookings.delete(id);
    else bookings.set(id, booking);
  };
  const read = (id: string): Booking | undefined => {
    const old = past.get(id);
    if (old === undefined || old.left === 0) return bookings.get(id);
    old.left -= 1;
    return old.booking;
  };

  const findWrong = (given: unknown): string | undefined => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return "an object is expected";
    const body = given as Booking;
    const missing = ["name", "guests"].find((name) => body[name] === undefined);
    if (missing !== undefined && !has("accepts a body without a required member"))
      return `${missing} is missing`;
    const [, wrong] =
      RULES.find(([rule, name, isRight]) => !has(rule) && body[name] !== undefined && !isRight(body[name])) ??
      [];
    return wrong;
  };

  const show = (booking: Booking): Booking => ({
    ...booking,
    pin: undefined,
    ...(has("omits a required member") && { guests: undefined }),
    ...(has("sends an undeclared member") && { passwordHash: "5ebe2294" }),
  });

  const isTaken = ({ email }: Booking, id?: string): boolean =>
    typeof email === "string" &&
    [...bookings.values()].some((one) => one["email"] === email.toLowerCase() && one["id"] !== id);

  const save = (given: Booking, id: string): Booking => {
    const before = bookings.get(id);
    const booking: Booking = {
      ...pick(given),
      // Without the faults these have their types.
      ...(typeof given["name"] === "string" && { name: given["name"].trim() }),
      ...(typeof given["email"] === "string" && { email: given["email"].toLowerCase() }),
      id,
      changes: Number(before?.["changes"] ?? 0) + 1,
    };
    const isPart = before !== undefined && has("stores a PUT in part");
    const kept = isPart ? { ...booking, nights: before["nights"] } : booking;
    if (before === undefined || !has("does not store a PUT")) change(id, kept);
    return booking;
  };

  const onForm = (
    path: string,
    { type, required, fault: own }: Form,
    request: IncomingMessage,
    bytes: Buffer,
  ): Reply => {
    if (request.headers["content-type"]?.startsWith(type) !== true) return fail(415, "a form is expected");
    const isMultipart = type === MULTIPART;
    // Many parsers take a multipart form without parts for a broken one.
    if (isMultipart && !bytes.includes("Content-Disposition")) return fail(400, "the form has no part");
    const names = isMultipart
      ? Array.from(bytes.toString("latin1").matchAll(/ name="([^"]+)"/g), ([, name]) => name)
      : [...new URLSearchParams(bytes.toString("utf8")).keys()];
    const missing = required.find((name) => !names.includes(name));
    if (missing !== undefined && !has(own)) return fail(400, `${missing} is missing`);
    if (path !== "/v1/documents") return { status: 204 };
    documents.add((last += 1));
    return { status: 201, headers: { location: `/v1/documents/${last}` } };
  };

  const onRoom = (method: string, id: string | undefined, given: unknown): Reply => {
    if (id !== undefined) {
      const room = rooms.get(Number(id));
      if (!/^[1-9]\d*$/.test(id)) return fail(400, "an id is an integer");
      return room === undefined ? fail(404, "not found") : { status: 200, body: room };
    }
    const { id: own, beds } = (given ?? {}) as Booking;
    if (!Number.isInteger(own) || Number(own) < 1 || !Number.isInteger(beds))
      return fail(400, "a number is wrong");
    const isKnown = rooms.has(Number(own));
    if (method === "PUT" && !isKnown) return fail(404, "not found");
    const room = { id: own, beds };
    const isKept = method === "POST" || !has("does not store a PUT whose id is in the body");
    if (isKept) rooms.set(Number(own), room);
    return { status: method === "POST" ? 201 : 200, body: room };
  };

  const onDocument = (method: string, id: string): Reply => {
    if (!/^[1-9]\d*$/.test(id)) return fail(400, "an id is an integer");
    if (!documents.has(Number(id)) || has("cannot find documents")) return fail(404, "not found");
    if (method === "GET") return { status: 200, body: { file: "any" } };
    if (!has("finds deleted documents")) documents.delete(Number(id));
    return { status: 204 };
  };

  const onBooking = (method: string, id: string, given: unknown): Reply => {
    if (!/^[\da-f-]{36}$/i.test(id) && !has("accepts any uuid")) return fail(400, "an id is a uuid");
    if (method === "GET") {
      const booking = read(id);
      return booking === undefined ? fail(404, "not found") : { status: 200, body: show(booking) };
    }
    if (!bookings.has(id)) return fail(404, "not found");
    if (method === "DELETE") {
      if (!has("finds what was deleted")) change(id, undefined);
      return { status: 204 };
    }
    const wrong = findWrong(given);
    if (wrong === undefined && isTaken(given as Booking, id)) return fail(409, "the e-mail address is taken");
    return wrong === undefined
      ? {
          status: has("responds with an undeclared status") ? 202 : 200,
          body: show(save(given as Booking, id)),
        }
      : fail(400, `${wrong} is wrong`);
  };

  const list = (query: URLSearchParams): Reply => {
    const [limit, arrival] = [query.get("limit") ?? "50", query.get("arrival")];
    if (!/^-?\d+$/.test(limit)) return fail(400, "limit is wrong");
    if (Number(limit) < 1 && !has("accepts less than the minimum")) return fail(400, "limit is too small");
    if (Number(limit) > 50 && !has("accepts more than the maximum")) return fail(400, "limit is too great");
    if (arrival !== null && !isDate(arrival) && !has("accepts any date"))
      return fail(400, "arrival is wrong");
    const all = [...bookings.values()].filter((one) => arrival === null || one["arrival"] === arrival);
    const body = all
      .reverse()
      .slice(0, Math.max(0, Number(limit)))
      .map(show);
    return { status: 200, body, headers: has("omits a header") ? {} : { "x-total": String(all.length) } };
  };

  const respond = (request: IncomingMessage, bytes: Buffer): Reply => {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    const { pathname, searchParams } = new URL(request.url ?? "", "http://bookings");
    const [, kind, id] = /^\/v1\/(bookings|documents|rooms)\/([^/]+)$/.exec(pathname) ?? [];
    const methods = METHODS[kind === undefined ? pathname : `/v1/${kind}/…`];
    if (methods === undefined) return fail(404, "not found");
    if (!methods.includes(method))
      return {
        ...fail(405, "not allowed"),
        headers: has("sends no Allow") ? {} : { allow: methods.join(", ") },
      };
    if (request.headers.authorization !== `Bearer ${KEY}` && !has("ignores credentials"))
      return fail(401, "who are you?");
    if (pathname === "/v1/payment")
      return {
        status: 200,
        body: {
          kind: "transfer",
          account: 7,
          holder: { name: has("responds with a wrong branch") ? "Ada" : 1 },
        },
      };
    const form = FORMS[pathname];
    if (form !== undefined) return onForm(pathname, form, request, bytes);
    if (kind === "documents" && id !== undefined) return onDocument(method, id);
    if (id === undefined && method === "GET") return list(searchParams);
    const isJson = request.headers["content-type"] === "application/json";
    if (["POST", "PUT"].includes(method) && !isJson) return fail(415, "JSON is expected");
    const given = parse(bytes);
    if (pathname.startsWith("/v1/rooms")) return onRoom(method, id, given);
    if (id !== undefined) return onBooking(method, id, given);
    const wrong = findWrong(given);
    if (wrong !== undefined) return fail(400, `${wrong} is wrong`);
    if (isTaken(given as Booking)) return fail(409, "the e-mail address is taken");
    return { status: 201, body: show(save(given as Booking, randomUUID())) };
  };

  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { status, headers = {}, body } = respond(request, Buffer.concat(chunks));
      const isOther = has("responds with another content type") && status === 200;
      const type = isOther ? "text/html" : "application/json";
      response.writeHead(status, { ...headers, ...(body !== undefined && { "content-type": type }) });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
}

interface Form {
  readonly type: string;
  readonly required: readonly string[];
  readonly fault: BookingFault;
}

const MULTIPART = "multipart/form-data";

const FORMS: Readonly<Record<string, Form>> = {
  "/v1/documents": {
    type: MULTIPART,
    required: ["title", "file"],
    fault: "accepts a form without a required part",
  },
  "/v1/scans": { type: MULTIPART, required: ["file"], fault: "accepts a form without its only part" },
  "/v1/sessions": {
    type: "application/x-www-form-urlencoded",
    required: ["user"],
    fault: "accepts a form without a required field",
  },
};

const METHODS: Readonly<Record<string, readonly string[]>> = {
  "/v1/bookings": ["GET", "POST"],
  "/v1/bookings/…": ["GET", "PUT", "DELETE"],
  "/v1/documents": ["POST"],
  "/v1/documents/…": ["GET", "DELETE"],
  "/v1/rooms": ["POST", "PUT"],
  "/v1/rooms/…": ["GET"],
  "/v1/scans": ["POST"],
  "/v1/sessions": ["POST"],
  "/v1/payment": ["GET"],
};

const MEMBERS = [...new Set(RULES.map(([, member]) => member))];

/** The members that are stored; a right server ignores others. */
function pick(given: Booking): Booking {
  return Object.fromEntries(Object.entries(given).filter(([name]) => MEMBERS.includes(name)));
}

function fail(status: number, message: string): Reply {
  return { status, body: { message } };
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
