// @thorough: waits for clients that do not read.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { send } from "../../support/http.js";
import { until } from "../../support/until.js";
import { startThings, type Things } from "./service.js";

const MAX_UNSENT_BYTES = 24 * 2 ** 20;
/** More than the system buffers for a connection. */
const TEXT = "x".repeat(16 * 2 ** 20);

let things: Things;
let sockets: Socket[] = [];
let release: () => void;

/** Handlers of `listThings` wait for the gate; those of `createThing` do not. */
async function start(maxUnsentBytes?: number): Promise<void> {
  const gate = new Promise<void>((resolve) => (release = resolve));
  things = await startThings({
    handlers: {
      listThings: async (_, reply) => {
        await gate;
        return reply[200]?.({ query: TEXT }, { headers: { "X-Total": 3 } });
      },
    },
    limits: {
      sendTimeout: 3_600_000,
      overload: {
        maxEventLoopDelay: 3_600_000,
        ...(maxUnsentBytes !== undefined && { maxUnsentBytes }),
        isExempt: ({ url = "" }) => url.startsWith("/v1/anyone"),
      },
    },
  });
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await things.stop();
});

/** Requests the list on a connection that does not read. */
async function stall(): Promise<Socket> {
  const socket = connect(things.port, "127.0.0.1").on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  socket.write("GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n");
  return socket;
}

const POST = {
  method: "POST",
  headers: { authorization: "Bearer good", "content-type": "application/json" },
  body: '{"name":"n","size":1}',
};

test("requests are refused while callers do not read, and served again once these are gone", async () => {
  await start(MAX_UNSENT_BYTES);
  release();
  await Promise.all([stall(), stall(), stall()]);
  await until(async () => (await send(things.port, "/v1/things", POST)).status === 503);
  expect(await send(things.port, "/v1/things", POST)).toMatchObject({
    headers: { "retry-after": "1" },
    json: { error: { code: "unavailable", status: 503 } },
  });
  expect(await send(things.port, "/v1/anyone")).toMatchObject({ status: 200 });
  // The callers lose their connections after a second, although `sendTimeout` is an hour.
  await until(async () => (await send(things.port, "/v1/things", POST)).status === 201);
});

test("responses that are ready at once stay within the limit too, and a creation is told whatever happens", async () => {
  await start(MAX_UNSENT_BYTES);
  const callers = await Promise.all(Array.from({ length: 12 }, stall));
  await until(() => things.handled.length === callers.length);
  release();
  // Each is either the large response or a refusal.
  const answers = await Promise.all(
    callers.map(async (socket) => String(((await once(socket, "data")) as [Buffer])[0]).slice(0, 12)),
  );
  const count = (status: number) => answers.filter((head) => head === `HTTP/1.1 ${status}`).length;
  expect(count(200)).toBeGreaterThan(0);
  expect(count(503)).toBeGreaterThan(0);
  expect(count(200) + count(503)).toBe(callers.length);
});

test("callers that read are served, however much it is", async () => {
  await start(MAX_UNSENT_BYTES);
  release();
  for (let calls = 0; calls < 6; calls += 1)
    expect((await send(things.port, "/v1/things", { headers: POST.headers })).text).toHaveLength(
      TEXT.length + '{"query":""}'.length,
    );
});
