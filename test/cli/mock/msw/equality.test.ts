// @thorough: compares two mocks of a dozen contracts.
import { existsSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { getResponse, type HttpHandler } from "msw";
import { createHandlers } from "../../../../src/cli/mock/msw/index.js";
import { buildContract, type Contract, type Operation } from "../../../../src/tenon/core/model/index.js";
import { type Call, createCalls } from "../requests.js";
import { loadDocument, serve, type TestMock } from "../serve.js";

const ROOT = new URL("../../../..", import.meta.url);

const contracts = [
  ...readdirSync(new URL("test/fixtures/", ROOT)).map((name) => ({
    name,
    file: `test/fixtures/${name}/openapi.yaml`,
    client: new URL(`test/fixtures/${name}/generated/client.ts`, ROOT),
  })),
  { name: "pet store", file: "openapi/v1.yaml", client: new URL("generated/v1/client.ts", ROOT) },
].filter(({ client }) => existsSync(client));

type Client = Readonly<Record<string, (path: string, call: Call & { headers: object }) => Promise<unknown>>>;

/** Headers that only connections have. */
const OF_CONNECTION = new Set(["connection", "date", "keep-alive", "transfer-encoding", "content-length"]);

async function toComparable(response: Response) {
  const headers = [...response.headers].filter(([name]) => !OF_CONNECTION.has(name));
  const { status } = response;
  const body = await response.text();
  const boundary = /boundary=([\w-]+)/.exec(response.headers.get("content-type") ?? "")?.[1];
  const found = { status, headers: Object.fromEntries(headers), body };
  // Each response has its own.
  if (boundary === undefined) return found;
  return JSON.parse(JSON.stringify(found).replaceAll(boundary, "boundary")) as typeof found;
}

/** Parts by position are refused in pages. */
const hasParts = ({ requestBody }: Operation): boolean =>
  requestBody?.mediaTypes.some(({ items }) => items?.parts !== undefined) === true;

/** The requests that a client does not send, made of one that it sends. */
async function vary(request: Request, { responses }: Operation): Promise<readonly Request[]> {
  const body = request.body === null ? null : await request.clone().arrayBuffer();
  const change = (
    edit: (headers: Headers, url: URL) => string | undefined,
    method = request.method,
  ): Request => {
    const [headers, url] = [new Headers(request.headers), new URL(request.url)];
    const changed = edit(headers, url);
    const sent = changed ?? body;
    return new Request(url, { method, headers, ...(sent !== null && method !== "GET" && { body: sent }) });
  };
  const withHeader = (name: string, value: string) =>
    change((headers) => {
      headers.set(name, value);
      return undefined;
    });
  return [
    request.clone(),
    ...responses.flatMap(({ status }) =>
      /^[2-5]\d\d$/.test(status) ? [withHeader("Prefer", `code=${status}`)] : [],
    ),
    withHeader("Prefer", "code=x"),
    withHeader("Prefer", "dynamic=true, seed=7"),
    withHeader("Accept", "application/x-nothing"),
    withHeader("Range", "bytes=0-1"),
    change((headers) => {
      for (const name of ["authorization", "x-key", "cookie"]) headers.delete(name);
      return undefined;
    }),
    change((_, url) => {
      url.searchParams.set("no-such-parameter", "1");
      return undefined;
    }),
    change((_, url) => {
      url.searchParams.set("__code", "404");
      return undefined;
    }),
    change((_, url) => {
      url.pathname += "/no/such/path";
      return undefined;
    }),
    ...(body === null
      ? []
      : [
          withHeader("Content-Type", "application/x-nothing"),
          change(() => "{"),
          change(() => "[1]"),
          change(() => '{"name":1,"a":[{"b":null}],"status":"?"}'),
          change(() => '{"n":1}\n\n{"n":123456789012345678901}\nx\n'),
        ]),
    ...["PATCH", "DELETE", "HEAD", "OPTIONS"].map((method) =>
      method === "HEAD" || body !== null
        ? new Request(request.url, { method, headers: request.headers })
        : change(() => undefined, method),
    ),
  ];
}

describe.each(contracts)("handlers of $name", ({ file, client: clientUrl }) => {
  let contract: Contract;
  let handlers: readonly HttpHandler[];
  let mock: TestMock;
  let client: Client;
  let sent: Request | undefined;
  const quiet = { onBadExample: () => undefined, onFailure: () => undefined };

  beforeAll(async () => {
    const document = await loadDocument(file);
    contract = buildContract(document);
    mock = await serve(contract, { ...quiet });
    handlers = [...createHandlers<object>(document, quiet)];
    const { createClient } = (await import(clientUrl.href)) as { createClient: (options: object) => Client };
    client = createClient({
      baseUrl: mock.url,
      credentials: Object.fromEntries(contract.securitySchemes.map(({ name }) => [name, "dXNlcjpwYXNz"])),
      retry: false,
      fetch: (request: Request) => {
        sent = request.clone();
        return fetch(request);
      },
    });
  });
  afterAll(() => mock.stop());

  test("have the responses of the mock server", async () => {
    const toCall = createCalls(contract);
    let count = 0;
    for (const operation of contract.operations.filter((one) => !hasParts(one))) {
      const send = client[operation.method.toUpperCase()];
      sent = undefined;
      await send?.(operation.path, { ...toCall(operation, 1), headers: {} }).catch(() => undefined);
      // A client cannot send every method.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- the client assigns it
      if (sent === undefined) continue;
      for (const request of await vary(sent, operation)) {
        const copy = request.clone();
        const response = await getResponse([...handlers], request);
        const wanted = await toComparable(await fetch(copy));
        const found = response === undefined ? undefined : await toComparable(response);
        const { method, url } = request;
        count += 1;
        if (response === undefined && wanted.body.includes("The contract's paths start with")) continue;
        expect({ request: `${method} ${url}`, ...found }).toEqual({ request: `${method} ${url}`, ...wanted });
      }
    }
    expect(count).toBeGreaterThan(0);
  });
});
