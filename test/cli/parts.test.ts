// @slow: starts the mock and verifies it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, test } from "@jest/globals";
import { compareContracts } from "../../src/cli/diff/contract/compare-contracts.js";
import { startMock } from "../../src/cli/mock/start-mock.js";
import { verify } from "../../src/cli/verify/index.js";
import { buildContract } from "../../src/tenon/core/model/index.js";
import { createClient } from "../fixtures/parts/generated/client.js";
import { GIVE_UP_MS } from "../support/until.js";
import { PATIENT, verifyServer } from "./verify/run.js";

type Node = Readonly<Record<string, unknown>>;

const url = new URL("../fixtures/parts/generated/contract.json", import.meta.url);
const text = readFileSync(url, "utf8");
const contract = buildContract(JSON.parse(text) as Node);

test("the mock sends valid parts, and reads those of requests", async () => {
  const mock = await startMock(contract, { port: 0, seed: "1" });
  try {
    const client = createClient({ baseUrl: mock.url });
    const { data: pictures, error } = await client.listPictures();
    if (error) throw new Error(error.message);
    let count = 0;
    for await (const { value, mediaType, headers } of pictures) {
      expect([value.size > 0, mediaType.startsWith("image/"), headers["X-Name"]]).toEqual([
        true,
        true,
        expect.stringMatching(/^[a-z]+$/),
      ]);
      count += 1;
    }
    expect(count).toBe(3);
    const picture = { value: new Uint8Array([1]), mediaType: "image/png" } as const;
    const { data } = await client.addReport({ body: [{ value: { title: "Nest" } }, picture] });
    expect(data?.[1].mediaType).toMatch(/^image\//);
    const refused = await client.addReport({ body: [{ value: { title: "" } }, picture] });
    expect(refused.status).toBe(400);
  } finally {
    await mock.stop();
  }
});

test("verify calls operations with parts, and the mock keeps the contract", async () => {
  const mock = await startMock(contract, { port: 0, seed: "1" });
  try {
    const { failures, operations, notes } = await verify(contract, {
      base: new URL(mock.url),
      seed: 1,
      runs: 5,
      limits: PATIENT,
      timeout: GIVE_UP_MS,
      credentials: { keys: new Map(), headers: [] },
    });
    expect(failures).toEqual([]);
    expect(notes).toEqual([]);
    const succeeded = operations.filter(({ statuses }) =>
      Object.keys(statuses).some((status) => status.startsWith("2")),
    );
    expect(succeeded.map(({ id }) => id).sort()).toEqual(contract.operations.map(({ id }) => id).sort());
  } finally {
    await mock.stop();
  }
});

const PICTURES = {
  openapi: "3.2.0",
  info: { title: "t", version: "1" },
  paths: {
    "/pictures": {
      get: {
        operationId: "listPictures",
        responses: {
          "200": {
            description: "Pictures.",
            content: {
              "multipart/mixed": {
                itemSchema: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
                itemEncoding: { headers: { "X-Name": { required: true, schema: { type: "string" } } } },
              },
            },
          },
        },
      },
    },
  },
};

/** Serves a list of parts as it is. */
function serve(body: string) {
  return createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      response.writeHead(405, { allow: "GET" }).end();
    else response.writeHead(200, { "content-type": "multipart/mixed; boundary=b" }).end(body);
  });
}

const HEAD = "--b\r\nContent-Type: application/json\r\nX-Name: a\r\n\r\n";

test.each([
  ["valid parts", `${HEAD}{"n":1}\r\n${HEAD}{"n":2}\r\n--b--\r\n`, undefined],
  ["an invalid value in the second part", `${HEAD}{"n":1}\r\n${HEAD}{"n":"2"}\r\n--b--\r\n`, "/1/value/n"],
  ["a part without a header", `--b\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n--b--\r\n`, "X-Name"],
  [
    "a part of another media type",
    `--b\r\nContent-Type: text/plain\r\nX-Name: a\r\n\r\n1\r\n--b--\r\n`,
    "/0/value",
  ],
  ["no last delimiter", `${HEAD}{"n":1}\r\n`, "ends before its last delimiter"],
  ["a part that is not JSON", `${HEAD}{"n"\r\n--b--\r\n`, "cannot be read"],
])("verify checks the parts of a response with %s", async (_, body, found) => {
  const { failures } = await verifyServer(buildContract(PICTURES), serve(body), { runs: 1 });
  const messages = failures.filter(({ check }) => check === "body").map(({ message }) => message);
  expect(messages).toEqual(found === undefined ? [] : [expect.stringContaining(found)]);
});

describe("diff", () => {
  const compare = async (change: (text: string) => string) => {
    const revision = buildContract(JSON.parse(change(text)) as Node);
    const findings = await compareContracts({ base: contract, revision }, { now: 0 });
    return findings.map(({ code, message }) => [code, message]);
  };

  test("compares parts by position, with their media types and headers", async () => {
    expect(await compare((one) => one)).toEqual([]);
    expect(await compare((one) => one.replace('"image/png, image/jpeg"', '"image/png"'))).toContainEqual([
      "request-enum-value-removed",
      'The request body at [1].mediaType lost a value: "image/jpeg"',
    ]);
    expect(await compare((one) => one.replace('"maxItems": 3', '"maxItems": 2'))).toEqual([
      ["request-max-items-lowered", expect.stringContaining("request body")],
    ]);
  });
});
