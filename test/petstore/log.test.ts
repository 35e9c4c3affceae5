import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { loadSqliteDriver } from "../../src/petstore/store/sqlite/driver.js";
import { createDirectory } from "../support/directory.js";
import { sendRaw, type Answer } from "../support/http.js";
import type { Call, PetStore } from "../support/petstore.js";
import { endProcesses, startServing, type ServingProcess } from "../support/petstore-process.js";

const readme = readFileSync(new URL("../../src/petstore/README.md", import.meta.url), "utf8");

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly keyId?: string;
  readonly [name: string]: unknown;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Stands in bodies, queries and headers, and must not stand in the log. */
const SECRET = "s3cr3t-marker";

/** Decodes percent-encoded characters, however often they were encoded. */
function decodeAll(text: string): string {
  const decoded = text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return decoded === text ? text : decodeAll(decoded);
}

let service: ServingProcess;
let calls: Omit<PetStore, "stop">;
const answers: Answer[] = [];
let lines: readonly Line[];

const call = async (path: string, options?: Call): Promise<Answer> => {
  const answer = await calls.call(path, options);
  answers.push(answer);
  return answer;
};
const idOf = ({ headers }: Answer): string => String(headers["x-request-id"]);
const linesOf = (answer: Answer): readonly Line[] =>
  lines.filter(({ requestId }) => requestId === idOf(answer));

const sent = {
  kept: "proxy:7.a_b-C",
  refused: ['a"b', "a b", "a}{", "x".repeat(129), "ü", "a,b", "", "a\tb"],
};
let created: Answer;
let failed: Answer;
let withKeyAsId: readonly Answer[];

beforeAll(async () => {
  const file = join(createDirectory(), "pets.db");
  service = await startServing({ env: { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: "trace" } });
  ({ calls } = service);

  const secretPet = { name: SECRET, categoryId: 1 };
  created = await call("/v1/pets", { json: secretPet });
  await call(`/v1/pets?status=${SECRET}`);
  await call(`/v1/pets?cursor=${SECRET}`);
  await call(`/v1/pets?token=${SECRET}`);
  await call("/v1/pets/4711", { headers: { cookie: `session=${SECRET}`, "x-api-key": SECRET } });
  await call("/v1/pets", { key: SECRET });
  await call("/v1/pets", { key: null, headers: { authorization: `Basic ${SECRET}` } });
  await call("/v1/pets", { json: { name: SECRET, categoryId: SECRET, status: SECRET } });
  await call("/v1/pets", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{"name":"${SECRET}`,
  });
  await call(`/nope?${SECRET}`);
  await sendRaw(calls.port, `GET /v1/pets/1#?${SECRET} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await sendRaw(calls.port, `GET /v1/pets HTTP/1.1\r\nAuthorization: ${SECRET}\r\nA b: c\r\n\r\n`);
  await sendRaw(calls.port, `GET http://[/?${SECRET} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await sendRaw(calls.port, `GET /?${SECRET.repeat(700)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

  await sendRaw(calls.port, "GET / HTTP/3.0\r\nHost: x\r\n\r\n");

  const { key } = calls;
  const encoded = Buffer.from(key).toString("hex").replace(/../g, "%$&");
  for (const text of [key, encoded, encoded.replaceAll("%", "%2525"), key.replace("_", "%5f")]) {
    await call(`/v1/pets/${text}`);
    await call(`/nope/${text}`);
  }
  // The log cuts the path in the middle of the key.
  await call(`/${"a".repeat(2_000)}/${key}`);
  withKeyAsId = [
    await call("/v1/pets", { headers: { "x-request-id": key } }),
    await call("/nope", { headers: { "x-request-id": `proxy:${key}.1` } }),
  ];

  const intruder = new (loadSqliteDriver().DatabaseSync)(file);
  intruder.exec("alter table pets rename to hidden");
  failed = await call("/v1/pets", { json: secretPet });
  await call(`/v1/pets?status=sold`);
  intruder.exec("alter table hidden rename to pets");
  intruder.close();

  await call("/v1/pets", { headers: { "x-request-id": sent.kept } });
  for (const id of sent.refused) {
    await call("/v1/pets", { headers: { "x-request-id": Buffer.from(id, "utf8").toString("latin1") } });
  }
  await call("/v1/pets", { headers: { "x-request-id": ["one", "two"] } });

  service.kill("SIGTERM");
  await service.ended();
  lines = service.out.map((line) => JSON.parse(line) as Line);
});
afterAll(endProcesses);

describe("the log", () => {
  test("is JSON, line by line, each with a time, a level and its process", () => {
    for (const line of lines) {
      expect(line).toMatchObject({
        level: expect.any(Number) as unknown,
        pid: service.pid,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
        msg: expect.any(String) as unknown,
      });
    }
  });

  test("has the fields that the README tells of, and no others", () => {
    const table = readme.split("### The log\n")[1]?.split("\n### ")[0] ?? "";
    const rows = [...table.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(([, field = "", where = ""]) => ({
      field,
      where,
    }));
    const told = rows.map(({ field }) => field);
    expect([...new Set(lines.flatMap(Object.keys))].filter((field) => !told.includes(field))).toStrictEqual(
      [],
    );
    const wanted = rows.filter(({ field, where }) => /all lines|requests/.test(where) && field !== "aborted");
    const requests = new Set(lines.filter(({ msg }) => msg === "request").flatMap(Object.keys));
    expect([...requests].sort()).toStrictEqual(wanted.map(({ field }) => field).sort());
  });

  test("has one line for each answer, with its id and its status, and no line of nobody's", () => {
    const requests = lines.filter(({ msg }) => msg === "request");
    expect(requests.map(({ requestId, status }) => [requestId, status])).toStrictEqual(
      answers.map((answer) => [idOf(answer), answer.status]),
    );
    expect(new Set(answers.map(idOf)).size).toBe(answers.length);
    const ids = new Set(answers.map(idOf));
    const strange = lines.filter(({ requestId }) => requestId !== undefined && !ids.has(requestId));
    expect(strange).toStrictEqual([]);
  });

  test("tells which operation, and which key by its public id", () => {
    const [line] = linesOf(created);
    expect(line).toMatchObject({ method: "POST", path: "/v1/pets", operationId: "createPet", status: 201 });
    expect(line?.keyId).toMatch(/^\w+$/);
    expect(calls.key).not.toContain(line?.keyId);
    const strangers = lines.filter(({ status, msg }) => status === 401 && msg === "request");
    expect(strangers.map(({ keyId }) => keyId)).toStrictEqual([undefined, undefined]);
  });

  test("holds no key, no body, no query and no header, also of requests that fail", () => {
    const text = service.out.join("\n");
    expect(text).not.toContain(calls.key);
    expect(text).not.toContain(SECRET);
    expect(text.toLowerCase()).not.toContain("bearer");
    expect(text).not.toContain("status=sold");
  });

  test("holds no key that a caller puts into a path, even when it is percent-encoded or cut", () => {
    const text = service.out.join("\n");
    const secret = calls.key.slice("petstore_".length, "petstore_".length + 20);
    expect(decodeAll(text)).not.toContain(secret);
    const paths = lines.flatMap(({ msg, path }) => (msg === "request" ? [path] : []));
    expect(paths.filter((path) => path === "/v1/pets/[redacted key]")).toHaveLength(4);
    expect(paths.filter((path) => path === "/nope/[redacted key]")).toHaveLength(4);
    expect(paths).toContain(`/${"a".repeat(2_000)}/[redacted key]`);
  });

  test("has the cause of a 500 under the id that the caller got; the answer has not", () => {
    expect(failed).toMatchObject({
      status: 500,
      json: { code: "internal_error", message: "The service failed to process this request" },
    });
    const failure = linesOf(failed).find(({ level }) => level === 50);
    expect(failure).toMatchObject({
      operationId: "createPet",
      phase: "handler",
      err: {
        message: expect.stringContaining("no such table") as unknown,
        stack: expect.stringContaining("sqlite") as unknown,
      },
    });
  });

  test("has a line also for what never became a request", () => {
    const refused = lines.filter(({ phase, requestId }) => phase === "http" && requestId === undefined);
    expect(refused.map(({ code }) => code)).toStrictEqual([
      "malformed_request",
      "malformed_request",
      "malformed_request",
      "uri_too_long",
      "http_version_not_supported",
    ]);
  });

  test("has no line of a failure for a mistake of a caller, whatever its status", () => {
    const failures = lines.filter(({ msg }) => msg === "request failed");
    expect(failures.map(({ code }) => code)).toStrictEqual(["internal_error", "internal_error"]);
  });
});

test("a silent log leaves standard output alone, so that many of them add no listeners to it", () => {
  const script = join(createDirectory(), "silent.mts");
  writeFileSync(
    script,
    `import { createLogger } from ${JSON.stringify(new URL("../../src/petstore/log.ts", import.meta.url).href)};
     const before = process.stdout.listenerCount("error");
     createLogger("silent").info("none");
     process.stderr.write(String(process.stdout.listenerCount("error") - before));`,
  );
  // Standard output is a socket, as in Jest's workers.
  const { stderr } = spawnSync(process.execPath, ["--conditions=tenon-source", "--import", "tsx", script], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  expect(stderr).toBe("0");
});

describe("X-Request-Id", () => {
  test("of a proxy is kept when it is harmless", () => {
    expect(answers.map(idOf)).toContain(sent.kept);
  });

  test("of a proxy is replaced when it could forge lines or is too long", () => {
    const ids = answers.slice(-sent.refused.length - 1).map(idOf);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  test("of a proxy is replaced when it contains a key", () => {
    for (const answer of withKeyAsId) expect(idOf(answer)).toMatch(UUID);
  });
});
