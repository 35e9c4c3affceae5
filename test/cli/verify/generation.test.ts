import { createServer, type RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import type { GeneratedServer } from "../../support/answer-all.js";
import { close, listen } from "../../support/http.js";
import { GIVE_UP_MS } from "../../support/until.js";
import { makeValid, varyAt } from "../../../src/cli/verify/drafts.js";
import { describeWrong, type Draft } from "../../../src/cli/verify/draft.js";
import { breakBody } from "../../../src/cli/verify/generate/broken-bodies.js";
import { toBodyText } from "../../../src/cli/verify/http/answer.js";
import { createClient, type Client } from "../../../src/cli/verify/http/client.js";
import { canEnter, GIVEN, writeCredentials } from "../../../src/cli/verify/http/credentials.js";
import { tryWriteRequest } from "../../../src/cli/verify/http/write-request.js";
import { createKnownThings } from "../../../src/cli/verify/known-things.js";
import { createJudge, type Judge } from "../../../src/cli/verify/schema/judge.js";
import type { Target } from "../../../src/cli/verify/target.js";
import { loadTarget } from "./run.js";

const FIXTURES = ["everyday", "keywords", "media-types", "parameters", "petlike", "polymorphic", "shapes"];

/** The runtime judges by another validator and another reading of OpenAPI: where both agree, a request is what it is said to be. */
describe.each(FIXTURES)("requests of the contract %s", (fixture) => {
  let target: Target;
  let client: Client;
  let requests: Judge;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const folder = new URL(`../../fixtures/${fixture}/`, import.meta.url);
    target = await loadTarget(new URL("openapi.yaml", folder));
    requests = createJudge(target.requests);
    await requests.prepare(target.operations.flatMap(({ shapes }) => shapes.map(({ schema }) => schema)));
    const { createPartialApi, basePath } = (await import(
      new URL("generated/server.ts", folder).href
    )) as GeneratedServer;
    const api = createPartialApi({
      handlers: {},
      unimplemented: "501",
      authenticators: Object.fromEntries([...target.schemes.keys()].map((name) => [name, () => "somebody"])),
      context: () => ({}),
      errorBody: ({ status, message }) => ({ status, message }),
    });
    const server = createServer(express().use(api) as RequestListener);
    client = createClient({
      base: new URL(`http://127.0.0.1:${await listen(server)}${basePath}`),
      timeout: GIVE_UP_MS,
    });
    stop = async () => {
      client.close();
      requests.close();
      await close(server);
    };
  });

  afterAll(() => stop());

  const send = async (draft: Draft): Promise<string | undefined> => {
    const keys = new Map(
      [...target.schemes].map(([name, { kind }]) => [name, kind === "basic" ? "user:password" : "token"]),
    );
    if (!canEnter(draft.operation, target, { keys, headers: [] })) return undefined;
    const credentials = writeCredentials(draft.operation, target, { keys, headers: [] }, GIVEN);
    const wire = await tryWriteRequest(draft, credentials);
    if (wire === undefined) return undefined;
    const answer = await client.send(wire);
    const { status } = answer;
    const isGone = status === 410 && draft.operation.deprecation?.sunset !== undefined;
    const isRight =
      draft.expectation === "refused"
        ? status !== undefined && status >= 400 && status < 500
        : status === 501 || isGone;
    if (isRight) return undefined;
    const what = draft.wrong === undefined ? "" : describeWrong(draft.wrong);
    const body = answer.status === undefined ? answer.message : toBodyText(answer);
    return `${draft.operation.id}: ${draft.expectation} ${what}: ${wire.method} ${wire.path} ${toBodyText({ body: wire.body ?? new Uint8Array() }).replaceAll(/\s+/g, " ")} -> ${status ?? ""} ${body}`;
  };

  test("are what they are said to be", async () => {
    const context = { target, requests, things: createKnownThings([]), seed: 1 };
    const wrong: string[] = [];
    let sent = 0;
    for (const operation of target.operations) {
      for (const shape of operation.shapes) {
        const valid = makeValid(operation, shape, { phase: "valid", count: 10 }, context);
        const full = makeValid(operation, shape, { phase: "boundaries", count: 2, full: true }, context);
        for (const draft of [
          ...valid,
          ...full,
          ...full.flatMap((base) => [...varyAt(base, context), ...breakBody(base)]),
        ]) {
          sent += 1;
          const problem = await send(draft);
          if (problem !== undefined) wrong.push(problem);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThan(10);
  });
});
