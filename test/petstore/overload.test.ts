import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { openStore } from "../../src/petstore/store/open.js";
import { createDirectory } from "../support/directory.js";
import { readExposition } from "../support/exposition.js";
import { until } from "../support/until.js";
import { endProcesses, startServing, type ServingProcess } from "../support/petstore-process.js";
import { expectErrorBody } from "../support/error-body.js";

afterEach(endProcesses);

const CALLERS = 300;

interface Outcome {
  readonly target: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Callers that send their next request as soon as they have an answer, until they are told to end. */
async function startCallers({ calls: { port, key } }: ServingProcess, target: (caller: number) => string) {
  const outcomes: Outcome[] = [];
  const sockets: Socket[] = [];
  for (let caller = 0; caller < CALLERS; caller++) {
    const path = target(caller);
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    await new Promise((resolve) => socket.once("connect", resolve));
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk: string) => {
      text += chunk;
      const length = Number(/^Content-Length: (\d+)/im.exec(text)?.[1]);
      const headEnd = text.indexOf("\r\n\r\n");
      if (headEnd < 0 || text.length < headEnd + 4 + length) return;
      const status = Number(text.slice(9, 12));
      outcomes.push({ target: path, status, retryAfter: /^Retry-After: (\d+)/im.exec(text)?.[1] });
      if (status === 503) {
        const headers = { "content-type": /^Content-Type: (.*)$/im.exec(text)?.[1] };
        expectErrorBody({ status, headers, json: JSON.parse(text.slice(headEnd)) as unknown });
      }
      text = "";
      socket.write(request);
    });
    sockets.push(socket);
    socket.write(request);
  }
  return {
    outcomes,
    stop: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

test("asked for too much, the service refuses a part in the contract's error body, its health never", async () => {
  const databaseUrl = `sqlite:${join(createDirectory(), "pets.db")}`;
  const store = await openStore(databaseUrl);
  // Not by way of the service, which may refuse them.
  for (let pets = 0; pets < 100; pets++) await store.pets.create({ name: "Rex", categoryId: 1 });
  await store.close();
  const service = await startServing({
    env: { DATABASE_URL: databaseUrl, MAX_EVENT_LOOP_DELAY_MS: "10", METRICS_PORT: "0" },
  });
  const paths = ["/healthz", "/readyz"];
  const callers = await startCallers(service, (caller) => paths[caller % 50] ?? "/v1/pets?limit=100");
  const { outcomes } = callers;
  const count = (target: string, status: number) =>
    outcomes.filter((outcome) => outcome.target.startsWith(target) && outcome.status === status).length;
  await until(() => count("/v1/", 200) >= 100 && count("/v1/", 503) >= 100);
  await until(() => paths.every((path) => count(path, 200) >= 10));
  callers.stop();

  const statuses = (of: (target: string) => boolean) =>
    new Set(outcomes.filter(({ target }) => of(target)).map(({ status }) => status));
  expect(statuses((target) => target.startsWith("/v1/"))).toEqual(new Set([200, 503]));
  expect(statuses((target) => paths.includes(target))).toEqual(new Set([200]));
  expect(new Set(outcomes.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
    new Set(["200 undefined", "503 1"]),
  );
  // A line a second, not one for each.
  await service.says(/"requests refused: overload"/);
  const refused = outcomes.filter(({ status }) => status === 503).length;
  expect(service.out.filter((line) => line.includes("requests refused")).length).toBeLessThan(refused);
  // Metrics count what the log told.
  const told = () =>
    service.out
      .filter((line) => line.includes("requests refused"))
      .reduce((sum, line) => sum + (JSON.parse(line) as { requests: number }).requests, 0);
  await until(() => told() >= refused);
  const line = service.out.find((text) => text.includes('"listening"')) ?? "";
  const { metricsUrl } = JSON.parse(line) as { metricsUrl: string };
  // What was refused after the callers had stopped is told a second later.
  await until(async () => {
    const samples = readExposition(await (await fetch(new URL("/metrics", metricsUrl))).text(), "text");
    return samples.get('petstore_requests_total{operation="none",method="none",status="503"}') === told();
  });

  // It is itself again as soon as it is asked for less.
  await until(async () => (await service.calls.call("/v1/pets")).status === 200);
});
