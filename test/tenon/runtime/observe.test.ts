import { afterEach, describe, expect, test } from "@jest/globals";
import type { Observe } from "../../../src/tenon/runtime/index.js";
import { send } from "../../support/http.js";
import { startThings, type Things, type ThingsOptions } from "./service.js";

let things: Things;
afterEach(() => things.stop());

/** The calls of an observer, in order. */
async function observed(path: string, options: ThingsOptions & { method?: string } = {}): Promise<string[]> {
  const told: string[] = [];
  const observe: Observe = ({ operation, request, response }) => {
    told.push(`${request.method} ${operation.id}`);
    return {
      enter: (phase) => told.push(phase),
      answered: () => told.push(String(response.statusCode)),
    };
  };
  const { method, ...given } = options;
  things = await startThings({ ...given, options: { ...given.options, observe } });
  const headers = { authorization: "Bearer good" };
  await send(things.port, path, { headers, ...(method !== undefined && { method }) });
  return told;
}

test("an observer hears who still sends a deprecated parameter", async () => {
  const told: string[] = [];
  const observe: Observe = () => ({
    enter: () => undefined,
    sentDeprecated: ({ in: place, name }) => told.push(`${place} ${name}`),
    answered: () => undefined,
  });
  things = await startThings({ options: { observe } });
  const headers = { authorization: "Bearer good", "content-type": "application/json" };
  for (const path of ["/v1/things", "/v1/things?limit=1"])
    await send(things.port, path, { method: "POST", headers, body: "{}" });
  expect(told).toEqual(["query limit"]);
});

describe("an observer hears of each phase that a request comes to, and of its end:", () => {
  const all = ["authentication", "request", "handler", "response"];
  const raw = {
    handlers: {
      anyone: (_: unknown, reply: { readonly raw?: ((...parameters: unknown[]) => object) | undefined }) =>
        reply.raw?.((response: { end(): void; statusCode: number }) => {
          response.statusCode = 299;
          response.end();
        }),
    },
  };
  const failing = {
    handlers: {
      anyone: () => {
        throw new Error("no");
      },
    },
  };

  test.each<[string, string, ThingsOptions & { method?: string }, string[]]>([
    ["an answer", "/v1/things", {}, ["GET listThings", ...all, "200"]],
    ["HEAD", "/v1/things", { method: "HEAD" }, ["HEAD listThings", ...all, "200"]],
    ["one without a body", "/v1/things/1:archive", { method: "PUT" }, ["PUT archiveThing", ...all, "204"]],
    ["one that a handler sends", "/v1/anyone", raw, ["GET anyone", ...all, "299"]],
    [
      "a credential that is refused",
      "/v1/things",
      { authenticate: () => undefined },
      ["GET listThings", "authentication", "401"],
    ],
    [
      "a request that is refused",
      "/v1/things?limit=0",
      {},
      ["GET listThings", "authentication", "request", "400"],
    ],
    [
      "a handler that fails",
      "/v1/anyone",
      failing,
      ["GET anyone", "authentication", "request", "handler", "500"],
    ],
    [
      "an operation without a handler",
      "/v1/later",
      {},
      ["GET later", "authentication", "request", "handler", "501"],
    ],
    ["a path without an operation", "/v1/nothing", {}, []],
    ["a method without an operation", "/v1/things", { method: "DELETE" }, []],
    ["what operations are there", "/v1/things", { method: "OPTIONS" }, []],
  ])("%s", async (_, path, options, want) => {
    expect(await observed(path, options)).toStrictEqual(want);
  });
});

test("a request without an observer gets its response", async () => {
  things = await startThings({ options: { observe: () => undefined } });
  expect(await send(things.port, "/v1/anyone")).toMatchObject({ status: 200 });
});
