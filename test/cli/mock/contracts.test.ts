// @thorough: sends generated requests to the mock of every fixture.
import { existsSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { findResponse } from "../../../src/tenon/core/http/index.js";
import { buildContract, type Contract } from "../../../src/tenon/core/model/index.js";
import { createJudge } from "./judge.js";
import { type Call, createCalls } from "./requests.js";
import { loadDocument, serve, type TestMock } from "./serve.js";

const ROOT = new URL("../../..", import.meta.url);
const SEEDS = 8;

const fixtures = readdirSync(new URL("test/fixtures/", ROOT)).map((name) => ({
  name,
  file: `test/fixtures/${name}/openapi.yaml`,
  client: new URL(`test/fixtures/${name}/generated/client.ts`, ROOT),
}));
const contracts = [
  ...fixtures,
  { name: "pet store", file: "openapi/v1.yaml", client: new URL("generated/v1/client.ts", ROOT) },
].filter(({ client }) => existsSync(client));

type Method = (path: string, call: Call & { headers: object }) => Promise<Answered>;
type Client = Readonly<Record<string, Method>>;

interface Answered {
  readonly status: number;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

describe.each(contracts)("the mock of $name", ({ file, client: clientUrl }) => {
  let document: Node;
  let contract: Contract;
  let mock: TestMock;
  let client: Client;
  const call = (method: string, path: string, request: Parameters<Method>[1]): Promise<Answered> => {
    const send = client[method.toUpperCase()];
    if (send === undefined) throw new Error(`The client has no ${method}`);
    return send(path, request);
  };
  beforeAll(async () => {
    document = await loadDocument(file);
    contract = buildContract(document);
    mock = await serve(contract);
    const { createClient } = (await import(clientUrl.href)) as { createClient: (options: object) => Client };
    client = createClient({
      baseUrl: mock.url,
      // A parameter that is a number may have the name of a key.
      credentials: Object.fromEntries(
        contract.securitySchemes.map(({ name, credential }) => [
          name,
          credential.kind === "apiKey" ? "7" : "dXNlcjpwYXNz",
        ]),
      ),
    });
  });
  afterAll(() => mock.stop());

  test("answers each operation with what the contract declares, for each seed", async () => {
    const judge = createJudge(document);
    const toCall = createCalls(contract);
    const problems: string[] = [];
    for (const operation of contract.operations) {
      const { id, method, path, responses } = operation;
      for (let seed = 0; seed < SEEDS; seed += 1) {
        const headers = { Prefer: `dynamic=true, seed=${seed}` };
        const request = { ...toCall(operation, seed), headers };
        try {
          const { status, data, error, response } = await call(method, path, request);
          if (response.headers.get("tenon-mock") !== "true")
            problems.push(`${id}: ${status} ${JSON.stringify(error)}`);
          const declared = findResponse(responses, status);
          const mediaType = declared?.mediaTypes.find(
            ({ name }) =>
              name.includes("json") && name.startsWith(response.headers.get("content-type") ?? "-"),
          );
          if (mediaType === undefined) continue;
          const verdict = judge(
            { path, method, status: declared?.status ?? "", mediaType: mediaType.name },
            status < 300 ? data : error,
          );
          if (verdict !== "") problems.push(`${id}: ${verdict}`);
        } catch (error) {
          problems.push(`${id}: ${String(error)}`);
        }
      }
    }
    expect([...new Set(problems)]).toEqual([]);
  });
});
