import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { operations, type OperationId } from "../../generated/v1/server.js";
import { generateKey } from "../../src/petstore/keys/key.js";
import { loadSqliteDriver, type SqliteDatabase } from "../../src/petstore/store/sqlite/driver.js";
import { createDirectory } from "../support/directory.js";
import { ERROR_CODES } from "../support/error-body.js";
import { sendRaw, type Answer } from "../support/http.js";
import { startPetStore, type Call, type PetStore } from "../support/petstore.js";
import { deepAt } from "../openapi/document.js";

const SUNSET = Date.parse("2030-12-05T00:00:00Z");
let now = SUNSET - 1;
let store: PetStore;
/** One whose key may send nothing any more. */
let limited: PetStore;
/** Another program's hand on the service's database. */
let intruder: SqliteDatabase;
/** Takes five seconds: begun before the other tests, awaited after them. */
let impatient: PetStore;
let late: Promise<string>;

beforeAll(async () => {
  const file = join(createDirectory(), "pets.db");
  store = await startPetStore({
    env: { DATABASE_URL: `sqlite:${file}`, BODY_LIMIT_BYTES: "1000" },
    now: () => now,
  });
  intruder = new (loadSqliteDriver().DatabaseSync)(file);
  await store.create({ name: "Rex", categoryId: 1 });
  impatient = await startPetStore({ env: { REQUEST_TIMEOUT_MS: "1000" } });
  late = sendRaw(impatient.port, "GET /v1/pets HTTP/1.1\r\n");
  limited = await startPetStore({ env: { RATE_LIMIT: "1/30d" } });
  await limited.call("/v1/pets");
});
afterAll(async () => {
  await limited.stop();
  await impatient.stop();
  intruder.close();
  await store.stop();
});

/** What makes the service answer with a status, or why nothing can. */
type Provocation = (() => Promise<Answer>) | { readonly never: string };

type Statuses<Id extends OperationId> = Extract<(typeof operations)[number], { id: Id }>["statuses"][number];

const pet = { name: "Rex", categoryId: 1 };
const html = { headers: { accept: "text/html" } };
const noWait = { never: "reads do not wait for other processes: failures.test.ts closes the store instead" };

const call = (path: string, options?: Call) => () => store.call(path, options);
const tooOften = (path: string, options?: Call) => () => limited.call(path, options);

/** With a table renamed, so that the store fails as nobody foresaw. */
async function without(table: string, path: string, options?: Call): Promise<Answer> {
  intruder.exec(`alter table ${table} rename to hidden`);
  try {
    return await store.call(path, options);
  } finally {
    intruder.exec(`alter table hidden rename to ${table}`);
  }
}

/** Took two seconds to get, so it is got once. */
let unavailable: Answer;

/** With the database locked for longer than the service waits. */
async function locked(path: string, options?: Call): Promise<Answer> {
  intruder.exec("begin immediate");
  try {
    return (unavailable = await store.call(path, options));
  } finally {
    intruder.exec("rollback");
  }
}

/** Sends another animal with a key that was used. */
async function reuseKey(): Promise<Answer> {
  const headers = { "idempotency-key": '"used"' };
  await store.call("/v1/pets", { json: pet, headers });
  return store.call("/v1/pets", { json: { ...pet, name: "Tom" }, headers });
}

async function afterSunset(path: string): Promise<Answer> {
  now = SUNSET;
  try {
    return await store.call(path);
  } finally {
    now = SUNSET - 1;
  }
}

/** The compiler refuses an operation or a declared status that is missing here, and one that is not declared. */
const PROVOCATIONS: { readonly [Id in OperationId]: Readonly<Record<Statuses<Id>, Provocation>> } = {
  listPets: {
    200: call("/v1/pets"),
    400: call("/v1/pets?limit=0"),
    401: call("/v1/pets", { key: null }),
    406: call("/v1/pets", html),
    429: tooOften("/v1/pets"),
    500: () => without("pets", "/v1/pets"),
    503: noWait,
  },
  createPet: {
    201: call("/v1/pets", { json: pet }),
    400: call("/v1/pets", { json: {} }),
    401: call("/v1/pets", { json: pet, key: null }),
    406: call("/v1/pets", { json: pet, ...html }),
    413: call("/v1/pets", { json: { name: "x".repeat(1000), categoryId: 1 } }),
    415: call("/v1/pets", { json: pet, headers: { "content-type": "text/plain" } }),
    422: reuseKey,
    429: tooOften("/v1/pets", { json: pet }),
    500: () => without("pets", "/v1/pets", { json: pet }),
    503: () => locked("/v1/pets", { json: pet }),
  },
  getPet: {
    200: call("/v1/pets/1"),
    400: call("/v1/pets/x"),
    401: call("/v1/pets/1", { key: null }),
    404: call("/v1/pets/4711"),
    406: call("/v1/pets/1", html),
    410: () => afterSunset("/v1/pets/1"),
    429: tooOften("/v1/pets/1"),
    500: () => without("pets", "/v1/pets/1"),
    503: noWait,
  },
  listOrders: {
    401: call("/v1/store/orders", { key: null }),
    429: tooOften("/v1/store/orders"),
    500: () => without("api_keys", "/v1/store/orders", { key: generateKey() }),
    501: call("/v1/store/orders"),
    503: noWait,
  },
};

const rows = operations.flatMap(({ id, method, path, statuses }) =>
  statuses.map((status) => {
    const provoke = (PROVOCATIONS[id] as Readonly<Record<string, Provocation>>)[status];
    return { id, method, path, status, provoke };
  }),
);

describe("each declared status of each operation can be had:", () => {
  const possible = rows.flatMap(({ provoke, ...row }) =>
    typeof provoke === "function" ? [{ ...row, provoke }] : [],
  );

  test("for each of the others there is a reason why not", () => {
    const reasons = rows.flatMap(({ provoke }) =>
      typeof provoke === "function" ? [] : [provoke?.never ?? ""],
    );
    expect(reasons).not.toContain("");
  });

  test.each(possible)("$id $status", async ({ method, path, status, provoke }) => {
    const answer = await provoke();
    expect(answer.status).toBe(Number(status));
    expect(answer.headers["content-type"]).toBe("application/json");
    const declared = deepAt("paths", path, method, "responses", status) as {
      headers?: Record<string, { required?: boolean }>;
    };
    const always = Object.keys(declared.headers ?? {}).filter(
      (name) => declared.headers?.[name]?.required === true || name === "Retry-After",
    );
    for (const name of always) expect(answer.headers).toHaveProperty(name.toLowerCase());
  });
});

/** A raw request's answer, which closes its connection. */
async function raw(bytes: string | Promise<string>): Promise<Answer> {
  const text = await bytes;
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const headers = Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  return {
    status: Number(head.split(" ")[1]),
    headers,
    bytes: Buffer.from(body),
    text: body,
    json: JSON.parse(body) as unknown,
  };
}

const get = (target: string, headers = ""): Promise<Answer> =>
  raw(sendRaw(store.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`));
const post = (body: string) => (): Promise<Answer> =>
  store.call("/v1/pets", { method: "POST", headers: { "content-type": "application/json" }, body });

const CODES: Readonly<Record<string, () => Promise<Answer>>> = {
  invalid_parameter: call("/v1/pets?colour=red"),
  invalid_body: post("{}"),
  malformed_json: post("{"),
  malformed_request: () => get("/v1/pets", "A b: c\r\n"),
  unauthorized: call("/v1/pets", { key: "nobody" }),
  not_found: call("/v1/nope"),
  pet_not_found: call("/v1/pets/4711"),
  method_not_allowed: call("/v1/pets", { method: "DELETE" }),
  not_acceptable: call("/v1/pets", html),
  request_timeout: () => raw(late),
  gone: () => afterSunset("/v1/pets/1"),
  content_too_large: post(" ".repeat(1001)),
  uri_too_long: () => get(`/v1/pets?status=${"a".repeat(9000)}`),
  unsupported_media_type: call("/v1/pets", { json: pet, headers: { "content-type": "text/json" } }),
  idempotency_key_reused: reuseKey,
  expectation_failed: () => get("/v1/pets", "Expect: tea\r\n"),
  too_many_requests: tooOften("/v1/pets"),
  headers_too_large: () => get("/v1/pets", `A: ${"a".repeat(20_000)}\r\n`),
  internal_error: () => without("api_keys", "/v1/pets"),
  http_version_not_supported: () => raw(sendRaw(store.port, "GET /v1/pets HTTP/2.0\r\nHost: x\r\n\r\n")),
  not_implemented: call("/v1/store/orders"),
  unavailable: () => Promise.resolve(unavailable),
};

describe("each code of the contract's list can be had:", () => {
  test.each([...ERROR_CODES])("%s", async (code, status) => {
    const provoke = CODES[code];
    expect((await provoke?.())?.json).toMatchObject({ code, status });
  });

  test("and no other is tried", () => {
    expect(Object.keys(CODES).filter((code) => !ERROR_CODES.has(code))).toStrictEqual([]);
  });
});

describe("what goes wrong before an operation is found has the error body too:", () => {
  const bare = "Connection: close\r\n\r\n";
  test.each([
    ["no HTTP", "hello\r\n\r\n", 400],
    ["no Host", `GET /v1/pets HTTP/1.1\r\n${bare}`, 400],
    ["a target that is no path", `GET v1/pets HTTP/1.1\r\nHost: x\r\n${bare}`, 400],
    ["a target whose host cannot be read", `GET http://[/v1/pets HTTP/1.1\r\nHost: x\r\n${bare}`, 400],
    ["a target whose port cannot be read", `GET http://x:y/v1/pets HTTP/1.1\r\nHost: x\r\n${bare}`, 400],
    ["a target without a path", `GET http://x HTTP/1.1\r\nHost: x\r\n${bare}`, 404],
    ["a target of another scheme", `GET mailto:a@b HTTP/1.1\r\nHost: x\r\n${bare}`, 400],
    ["a target that is a script", `GET javascript://x/%0a HTTP/1.1\r\nHost: x\r\n${bare}`, 404],
    ["a target that starts like a host", `GET //[/v1/pets HTTP/1.1\r\nHost: x\r\n${bare}`, 404],
    ["a target with a fragment", `GET /v1/nope#x?y HTTP/1.1\r\nHost: x\r\n${bare}`, 400],
    ["a target with bytes that are no ASCII", `GET /\u00e9\u00a0 HTTP/1.1\r\nHost: x\r\n${bare}`, 400],
    ["OPTIONS *", `OPTIONS * HTTP/1.1\r\nHost: x\r\n${bare}`, 404],
    ["CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    [
      "a body with two lengths",
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n${bare}`,
      400,
    ],
  ])("%s", async (_, bytes, status) => {
    const answer = await raw(sendRaw(store.port, bytes));
    expect([answer.status, ERROR_CODES.get((answer.json as { code: string }).code)]).toStrictEqual([
      status,
      status,
    ]);
    expect(answer.json).toStrictEqual({
      code: expect.any(String) as unknown,
      message: expect.any(String) as unknown,
      status,
    });
  });
});
