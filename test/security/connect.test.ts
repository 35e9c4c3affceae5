import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { sendRaw } from "../support/http.js";
import { endProcesses, startServing, type ServingProcess } from "../support/petstore-process.js";

const CONNECT = "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n";

let service: ServingProcess;
afterEach(endProcesses);

test("connections that are reset after CONNECT do not end the service", async () => {
  service = await startServing();
  for (let count = 0; count < 50; count += 1) {
    const socket = connect(service.calls.port, "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    socket.write(CONNECT);
    // Also after the response has come.
    if (count % 2 === 0) await once(socket, "readable");
    socket.resetAndDestroy();
    await once(socket, "close");
  }
  expect(await service.calls.call("/healthz")).toMatchObject({ status: 200 });
});

test("CONNECT gets its response after those of the requests before it", async () => {
  service = await startServing();
  const { port, key } = service.calls;
  const body = '{"name":"Rex","categoryId":1}';
  const post =
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const get = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const answer = await sendRaw(port, post + get + CONNECT);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 200", "HTTP/1.1 405"]);
});
