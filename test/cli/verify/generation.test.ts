// @thorough: generates requests for every fixture.
import { createServer, type RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import type { GeneratedServer } from "../../support/answer-all.js";
import { close, listen } from "../../support/http.js";
import { GIVE_UP_MS } from "../../support/until.js";
import { breakBody, makeValid, varyParts } from "../../../src/cli/verify/cases/index.js";
import { createClient, type Client } from "../../../src/cli/verify/http.js";
import {
  canAccess,
  describeConstraint,
  findCarrier,
  listShapes,
  type TestCase,
  toBodyText,
  tryWriteRequest,
  writeCredentials,
} from "../../../src/cli/verify/messages/index.js";
import { createCreatedResources } from "../../../src/cli/verify/run/creations.js";
import { createValidator, type Validator } from "../../../src/cli/verify/validator.js";
import type { Contract } from "../../../src/tenon/core/model/index.js";
import { loadTested } from "./run.js";

const FIXTURES = ["everyday", "keywords", "media-types", "parameters", "petlike", "polymorphic", "shapes"];

/** The runtime has another validator: where both agree, a request is as valid as it is said to be. */
describe.each(FIXTURES)("requests of the contract %s", (fixture) => {
  let contract: Contract;
  let client: Client;
  let requests: Validator;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const folder = new URL(`../../fixtures/${fixture}/`, import.meta.url);
    contract = await loadTested(new URL("openapi.yaml", folder));
    requests = createValidator({ registry: contract.registry, side: "request" });
    await requests.prepare(contract.operations.flatMap(listShapes).map(({ schema }) => schema));
    const { createPartialApi, basePath } = (await import(
      new URL("generated/server.ts", folder).href
    )) as GeneratedServer;
    const api = createPartialApi({
      handlers: {},
      unimplemented: "501",
      authenticators: Object.fromEntries(
        contract.securitySchemes.map(({ name }) => [name, () => "somebody"]),
      ),
      context: () => ({}),
      errorBody: ({ status, message }) => ({ status, message }),
    });
    const server = createServer(express().use(api) as RequestListener);
    client = createClient(new URL(`http://127.0.0.1:${await listen(server)}${basePath}`), GIVE_UP_MS);
    stop = async () => {
      client.close();
      requests.close();
      await close(server);
    };
  });

  afterAll(() => stop());

  const send = async (testCase: TestCase): Promise<string | undefined> => {
    const keys = new Map(
      contract.securitySchemes.map(({ name }) => [
        name,
        findCarrier(contract, name)?.kind === "basic" ? "user:password" : "token",
      ]),
    );
    const { operation, constraint } = testCase;
    if (!canAccess(operation, contract, { keys, headers: [] })) return undefined;
    const credentials = writeCredentials(operation, contract, { keys, headers: [] });
    const wire = await tryWriteRequest(testCase, credentials);
    if (wire === undefined) return undefined;
    const response = await client.send(wire);
    const { status } = response;
    const isGone = status === 410 && operation.lifecycle?.sunset !== undefined;
    const isRight =
      testCase.expectation === "refused"
        ? status !== undefined && status >= 400 && status < 500
        : status === 501 || isGone;
    if (isRight) return undefined;
    const what = constraint === undefined ? "" : describeConstraint(constraint);
    const body = response.status === undefined ? response.message : toBodyText(response);
    return `${operation.id}: ${testCase.expectation} ${what}: ${wire.method} ${wire.path} ${toBodyText({ body: wire.body ?? new Uint8Array() }).replaceAll(/\s+/g, " ")} -> ${status ?? ""} ${body}`;
  };

  test("are accepted or refused as expected", async () => {
    const context = { requests, resources: createCreatedResources([]), seed: 1 };
    const wrong: string[] = [];
    let sent = 0;
    for (const operation of contract.operations) {
      for (const shape of listShapes(operation)) {
        const valid = makeValid(operation, shape, { phase: "valid", count: 4 }, context);
        const full = makeValid(operation, shape, { phase: "boundaries", count: 2, full: true }, context);
        for (const testCase of [
          ...valid,
          ...full,
          ...full.flatMap((base) => [...varyParts(base, context), ...breakBody(base)]),
        ]) {
          sent += 1;
          const problem = await send(testCase);
          if (problem !== undefined) wrong.push(problem);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThan(10);
  });
});
