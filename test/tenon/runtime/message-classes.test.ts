import { IncomingMessage, type Server, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { createHttpServer } from "../../../src/tenon/runtime/server/server.js";
import { close, listen, send } from "../../support/http.js";

const errorBody = (problem: object): object => problem;
let server: Server;

afterEach(() => close(server));

describe("requests and responses are made as Express wants them", () => {
  test("prototypes are not changed afterwards, and are still instances of Node's classes", async () => {
    const app = express();
    const seen: boolean[] = [];
    server = createHttpServer(app, { errorBody });
    server.prependListener("request", (request, response) => {
      seen.push(
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
      );
      seen.push(request instanceof IncomingMessage, response instanceof ServerResponse);
    });
    app.get("/", (request, response) => response.json({ ip: request.ip }));
    expect(await send(await listen(server), "/")).toMatchObject({ status: 200, json: { ip: "127.0.0.1" } });
    expect(seen).toEqual([true, true, true, true]);
  });

  test("an app within an app has its own, and what follows it the outer's", async () => {
    const inner = express();
    inner.get("/inner", (request, response) => response.json({ same: request.app === inner }));
    const app = express();
    app.use(inner);
    app.get("/outer", (request, response) => response.json({ same: request.app === app }));
    server = createHttpServer(app, { errorBody });
    const port = await listen(server);
    expect(await send(port, "/inner")).toMatchObject({ json: { same: true } });
    expect(await send(port, "/outer")).toMatchObject({ json: { same: true } });
  });

  test("a listener that is not an Express app gets Node's classes", async () => {
    server = createHttpServer(
      (request, response) => {
        response.end(String(Object.getPrototypeOf(request) === IncomingMessage.prototype));
      },
      { errorBody },
    );
    expect(await send(await listen(server), "/")).toMatchObject({ text: "true" });
  });
});
