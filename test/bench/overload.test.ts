// @thorough: runs a benchmark.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { format } from "prettier";
import { OpenLoop } from "../../scripts/bench/http/open-loop.js";
import { toRequest } from "../../scripts/bench/http/scenarios.js";
import { toPoint } from "../../scripts/bench/overload/measure.js";
import { drawCurves, formatPage } from "../../scripts/bench/overload/page.js";
import { GIVE_UP_MS } from "../support/until.js";

describe("requests at a rate", () => {
  let generator: OpenLoop;
  let server: Server;
  beforeAll(() => {
    generator = new OpenLoop();
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  afterAll(() => generator.stop());

  async function run(listener: RequestListener, rate: number, connections: number, patience?: number) {
    server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const requests = [toRequest("GET", "/a"), toRequest("GET", "/b")];
    const local = { url: `http://127.0.0.1:${port}`, emptyLog: () => undefined };
    return generator.run(local, {
      requests,
      rate,
      milliseconds: 1_000,
      connections,
      prepared: connections,
      ...(patience !== undefined && { patience }),
    });
  }

  test("are as many as wanted, whatever is answered", async () => {
    const { due, answers, unsent, lost, unanswered } = await run(
      (request, response) => {
        response.writeHead(request.url === "/a" ? 200 : 503, { "Content-Length": 2 }).end("{}");
      },
      500,
      // More connections than requests: none is left unsent because answers are slow.
      700,
      GIVE_UP_MS,
    );
    // Five standard deviations of a Poisson process.
    expect(Math.abs(due - 500)).toBeLessThan(5 * Math.sqrt(500));
    expect([answers.length, unsent, lost, unanswered]).toEqual([due, 0, 0, 0]);
    const ok = answers.filter(([status]) => status === 200).length;
    expect(Math.abs(ok - due / 2)).toBeLessThanOrEqual(1);
  });

  test("wait for no answer: what finds no connection is counted, and so is what a connection is lost under", async () => {
    const held = await run(() => undefined, 200, 20);
    expect([held.answers.length, held.unanswered, held.unsent]).toEqual([0, 20, held.due - 20]);
    server.closeAllConnections();
    server.close();
    const cut = await run((request) => request.socket.destroy(), 200, 20);
    // A busy machine may not have made or cut the last connections in time.
    expect([cut.answers.length, cut.lost + cut.unsent + cut.unanswered]).toEqual([0, cut.due]);
    expect(cut.lost).toBeGreaterThan(0);
  });

  test("latency counts from when a request was due, also when everything stood still", async () => {
    let isFirst = true;
    const { answers } = await run(
      (_, response) => {
        if (isFirst) for (const end = performance.now() + 300; performance.now() < end;);
        isFirst = false;
        response.writeHead(200, { "Content-Length": 0 }).end();
      },
      200,
      500,
    );
    expect(answers.filter(([, , latency]) => latency > 100).length).toBeGreaterThan(20);
    await setTimeout(0);
  });
});

test("a page and a picture are made of the figures", async () => {
  const slice = {
    due: 100,
    unsent: 5,
    lost: 0,
    unanswered: 5,
    answers: [
      ...Array.from({ length: 50 }, (_, index) => [200, index, index] as const),
      ...Array.from({ length: 10 }, (_, index) => [200, index, 5_000] as const),
      ...Array.from({ length: 30 }, (_, index) => [503, index, 1] as const),
    ],
  };
  const point = toPoint(2, 1, slice);
  expect(point).toMatchObject({ offered: 100, good: 50, refused: 0.3, unanswered: 0.1 });
  const curve = { capacity: 50, points: [{ ...point, factor: 1, p50: NaN, p99: NaN }, point] };
  const curves = { refusing: curve, waiting: curve, express: curve };
  const page = formatPage(curves, { rounds: 1, seconds: 1, connections: 100, factors: [1, 2] });
  expect(await format(page, { parser: "markdown", printWidth: 110 })).toBe(page);
  const picture = drawCurves(curves);
  expect(picture).not.toContain("NaN");
  expect(picture.match(/<polyline/g)).toHaveLength(9);
});
