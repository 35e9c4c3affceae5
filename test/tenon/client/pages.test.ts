import { describe, expect, test } from "@jest/globals";
import {
  type ClientContract,
  type ClientOperation,
  createBareContractClient,
  createContractClient,
  definePagedCall,
  PaginationError,
  ResponseError,
} from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";
import type { Client } from "../../../generated/v1/client.js";

const CONTRACT: ClientContract = {
  tenon: GENERATED_VERSION,
  securitySchemes: { key: { in: "query", name: "key" } },
  security: [["key"]],
};
const BASE = "https://petstore.example/v1";

interface Operation {
  parameters: { query?: { cursor?: string | number; limit?: number } };
  responses: {
    200: { content: { "application/json": { data: string[]; next?: string | null } } };
    500: { content: { "application/json": { code: string } } };
  };
}

interface Page {
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

/** Serves pages by path and query, and notes what was requested. */
function serve(pages: Readonly<ClientOperation["pages"]>, served: Readonly<Record<string, Page>>) {
  const asked: string[] = [];
  const call = definePagedCall<Operation, "get", "unmarked", ["data"]>({
    id: "listPets",
    method: "get",
    path: "/pets",
    responses: [200, 500],
    pages: { items: "/data", ...pages },
  });
  const fetch = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    const { body, ...init } = served[asked.at(-1) ?? ""] ?? { body: { code: "none" }, status: 500 };
    return Promise.resolve(Response.json(body, init));
  };
  const bare = createBareContractClient(CONTRACT, { baseUrl: BASE, fetch, credentials: { key: "secret" } });
  const read = async (query?: Operation["parameters"]["query"]) => {
    const found: string[] = [];
    for await (const item of call.items(bare, { ...(query && { query }) })) found.push(item);
    return found;
  };
  return { call, bare, fetch, read, asked };
}

const data = (...items: readonly string[]) => ({ data: items });
const next = (url: string) => ({ Link: `<${url}>; rel="next"` });

describe("items of all pages", () => {
  test("by the links of their headers, with the credentials once", async () => {
    const { read, asked } = serve(
      {},
      {
        "/v1/pets?limit=2&key=secret": {
          body: data("a", "b"),
          headers: {
            Link: '</v1/help>; rel="help", </v1/pets?limit=2&after=b>; title="a, b"; rel="last next"',
          },
        },
        "/v1/pets?limit=2&after=b&key=secret": { body: data("c"), headers: next("?after=c&key=old") },
        "/v1/pets?after=c&key=secret": { body: data(), headers: { Link: '</v1/pets>; rel="prev"' } },
      },
    );
    expect(await read({ limit: 2 })).toEqual(["a", "b", "c"]);
    expect(asked).toHaveLength(3);
  });

  test.each<[string, ClientOperation["pages"], Readonly<Record<string, Page>>]>([
    [
      "a cursor in the body",
      { style: "cursor", parameter: "cursor", next: "/next" },
      {
        "/v1/pets?key=secret": { body: { ...data("a", "b"), next: "b&" } },
        "/v1/pets?cursor=b%26&key=secret": { body: { ...data("c"), next: null } },
      },
    ],
    [
      "a cursor in a header",
      { style: "cursor", parameter: "cursor", nextHeader: "X-Next" },
      {
        "/v1/pets?key=secret": { body: data("a", "b"), headers: { "X-Next": "7" } },
        "/v1/pets?cursor=7&key=secret": { body: data("c") },
      },
    ],
    [
      "a URL in the body",
      { next: "/next" },
      {
        "/v1/pets?key=secret": { body: { ...data("a", "b"), next: `${BASE}/more` } },
        "/v1/more?key=secret": { body: data("c") },
      },
    ],
    [
      "an offset",
      { style: "offset", parameter: "cursor" },
      {
        "/v1/pets?key=secret": { body: data("a", "b") },
        "/v1/pets?cursor=2&key=secret": { body: data("c") },
        "/v1/pets?cursor=3&key=secret": { body: data() },
      },
    ],
    [
      "a number",
      { style: "page", parameter: "cursor", first: 0 },
      {
        "/v1/pets?key=secret": { body: data("a", "b") },
        "/v1/pets?cursor=1&key=secret": { body: data("c") },
        "/v1/pets?cursor=2&key=secret": { body: data() },
      },
    ],
  ])("by %s", async (_, pages, served) => {
    const { read, asked } = serve(pages, served);
    expect(await read()).toEqual(["a", "b", "c"]);
    expect(asked).toEqual(Object.keys(served));
  });

  test("start where the caller says", async () => {
    const { read } = serve(
      { style: "page", parameter: "cursor" },
      {
        "/v1/pets?cursor=8&key=secret": { body: data("a") },
        "/v1/pets?cursor=9&key=secret": { body: data() },
      },
    );
    expect(await read({ cursor: 8 })).toEqual(["a"]);
  });

  test("are requested when they are read, and as pages too", async () => {
    const { call, fetch, asked } = serve(
      {},
      {
        "/v1/pets?key=secret": { body: data("a", "b"), headers: next("?after=b") },
        "/v1/pets?after=b&key=secret": { body: data("c") },
      },
    );
    const options = { baseUrl: BASE, fetch, credentials: { key: "secret" } };
    const client = createContractClient<object, { listPets: typeof call }>(
      CONTRACT,
      { listPets: call },
      options,
    );
    const items = client.listPets.items();
    expect(asked).toEqual([]);
    for await (const item of items) if (item === "b") break;
    expect(asked).toHaveLength(1);
    const pages: string[][] = [];
    for await (const page of client.listPets.pages()) pages.push(page.data.data);
    expect(pages).toEqual([["a", "b"], ["c"]]);
  });
});

test("links are followed below a base URL with a slash at its end", async () => {
  const served = {
    "/v1/pets?key=secret": { body: data("a"), headers: next("?after=a") },
    "/v1/pets?after=a&key=secret": { body: data("b") },
  };
  const { call, fetch, asked } = serve({}, served);
  const client = createBareContractClient(CONTRACT, {
    baseUrl: `${BASE}/`,
    fetch,
    credentials: { key: "secret" },
  });
  const items: string[] = [];
  for await (const item of call.items(client)) items.push(item);
  expect([items, asked]).toEqual([["a", "b"], Object.keys(served)]);
});

test("links to another path are followed there", async () => {
  const { read, asked } = serve(
    {},
    {
      "/v1/pets?limit=1&key=secret": { body: data("a"), headers: next("/v1/more?after=a") },
      "/v1/more?after=a&key=secret": { body: data("b"), headers: next("?after=b") },
      "/v1/more?after=b&key=secret": { body: data("c"), headers: next("/v1/pets?after=c") },
      "/v1/pets?after=c&key=secret": { body: data("d") },
    },
  );
  expect(await read({ limit: 1 })).toEqual(["a", "b", "c", "d"]);
  expect(asked).toHaveLength(4);
});

describe("a next page", () => {
  test.each([
    [
      "on another host",
      "https://other.example/v1/pets",
      /https:\/\/other.example is not https:\/\/petstore.example/,
    ],
    ["over plain HTTP", "http://petstore.example/v1/pets", /http:\/\/petstore.example is not/],
    ["that is no URL", "https://", /"https:\/\/" is not/],
    ["that is the same", "/v1/pets?key=secret", /came before/],
  ])("%s is an error", async (_, url, message) => {
    const { read, asked } = serve({}, { "/v1/pets?key=secret": { body: data("a"), headers: next(url) } });
    const error = await read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaginationError);
    expect((error as Error).message).toMatch(message);
    expect(asked).toHaveLength(1);
  });

  test("that must not be requested is an error only when it is read", async () => {
    const { call, bare } = serve(
      {},
      { "/v1/pets?key=secret": { body: data("a"), headers: next("https://other.example/v1/pets") } },
    );
    const pages = call.pages(bare);
    expect((await pages.next()).value?.data).toEqual(data("a"));
    await expect(pages.next()).rejects.toThrow(PaginationError);
  });

  test("that leads back to a page before is an error", async () => {
    const { read, asked } = serve(
      { style: "cursor", parameter: "cursor", next: "/next" },
      {
        "/v1/pets?key=secret": { body: { ...data("a"), next: "b" } },
        "/v1/pets?cursor=b&key=secret": { body: { ...data("b"), next: "c" } },
        "/v1/pets?cursor=c&key=secret": { body: { ...data("c"), next: "b" } },
      },
    );
    await expect(read()).rejects.toThrow(
      'Cannot read the next page of listPets: "b" is a page that came before',
    );
    expect(asked).toHaveLength(3);
  });

  test("with the items of the page before is an error: the service ignores the parameter", async () => {
    const page = { body: data("a") };
    const served = { "/v1/pets?key=secret": page, "/v1/pets?cursor=1&key=secret": page };
    await expect(serve({ style: "offset", parameter: "cursor" }, served).read()).rejects.toThrow(
      PaginationError,
    );
  });

  test("that fails is the error of orThrow", async () => {
    const first = { body: data("a"), headers: next("?after=a") };
    await expect(serve({}, { "/v1/pets?key=secret": first }).read()).rejects.toThrow(ResponseError);
    await expect(serve({}, { "/v1/pets?key=secret": { body: { data: {} } } }).read()).rejects.toThrow(
      "the body has no array of items",
    );
  });
});

test("the types of items are those of the contract", () => {
  const read = async (client: Client): Promise<string[]> => {
    const names: string[] = [];
    for await (const pet of client.listPets.items({ query: { limit: 5 } })) names.push(pet.name);
    // @ts-expect-error an operation without pages has no items
    expect(client.createPet.items).toBeUndefined();
    return names;
  };
  expect(read).toHaveLength(1);
});
