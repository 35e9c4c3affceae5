import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Answer, send } from "../../support/http.js";
import { MOST_KEPT } from "../../../src/cli/mock/state.js";
import { loadRouted, serve, type TestMock, toRouted } from "./serve.js";

const ref = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });
const id = { name: "petId", in: "path", required: true, schema: { type: "string" } };
const owner = { name: "owner", in: "path", required: true, schema: { type: "string" } };
const missing = { description: "no" };

/** Owners have pets; a pet is sent with a secret and without what the service adds. */
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "/v1" }],
  paths: {
    "/owners/{owner}/pets": {
      parameters: [owner],
      get: {
        operationId: "listPets",
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer" } },
          { name: "kind", in: "query", schema: { type: "string" } },
        ],
        responses: { "200": { description: "ok", content: ref("Page") } },
      },
      post: {
        operationId: "createPet",
        requestBody: { required: true, content: ref("NewPet") },
        responses: {
          "201": {
            description: "ok",
            headers: { Location: { required: true, schema: { type: "string" } } },
            content: ref("Pet"),
          },
        },
      },
    },
    "/owners/{owner}/pets/{petId}": {
      parameters: [owner, id],
      get: {
        operationId: "getPet",
        responses: { "200": { description: "ok", content: ref("Pet") }, "404": missing },
      },
      put: {
        operationId: "putPet",
        requestBody: { required: true, content: ref("NewPet") },
        responses: { "200": { description: "ok", content: ref("Pet") }, "404": missing },
      },
      patch: {
        operationId: "patchPet",
        requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
        responses: { "200": { description: "ok", content: ref("Pet") }, "404": missing },
      },
      delete: { operationId: "deletePet", responses: { "204": { description: "done" }, "404": missing } },
    },
    "/notes": {
      post: {
        operationId: "createNote",
        requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
        responses: {
          "201": {
            description: "ok",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["text"],
                  properties: { text: { const: "always this" } },
                },
              },
            },
          },
        },
      },
    },
    "/notes/{note}": {
      get: {
        operationId: "getNote",
        parameters: [{ name: "note", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          "200": {
            description: "ok",
            content: {
              "application/json": { schema: { type: "object", properties: { text: { type: "string" } } } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      NewPet: {
        type: "object",
        required: ["name", "secret"],
        properties: {
          name: { type: "string" },
          kind: { type: "string" },
          secret: { type: "string", writeOnly: true },
        },
      },
      Pet: {
        type: "object",
        required: ["id", "name", "addedAt"],
        properties: {
          id: { type: "string", format: "uuid" },
          name: { type: "string" },
          kind: { type: "string" },
          addedAt: { type: "string", format: "date-time" },
          secret: { type: "string", writeOnly: true },
        },
      },
      Page: {
        type: "object",
        required: ["items", "total"],
        properties: {
          items: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
          total: { type: "integer" },
        },
      },
    },
  },
};

interface Pet {
  readonly id: string;
  readonly name: string;
}
interface Page {
  readonly items: readonly Pet[];
  readonly total: number;
}

describe("what is created", () => {
  let mock: TestMock;
  beforeAll(async () => {
    mock = await serve(toRouted(DOCUMENT), { stateful: true });
  });
  afterAll(() => mock.stop());

  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    send(mock.port, `/v1${path}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const listed = async (path: string): Promise<Page> => (await call("GET", path)).json as Page;

  test("is read, listed, replaced, changed and deleted", async () => {
    const pets = "/owners/mia/pets";
    const before = await listed(pets);
    expect(before.items.length).toBeGreaterThan(0);

    const created = await call("POST", pets, { name: "Rex", secret: "s" });
    expect(created.status).toBe(201);
    const pet = created.json as Pet;
    expect(pet).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
      name: "Rex",
      addedAt: expect.any(String) as unknown,
    });
    expect(before.items.map((one) => one.id)).not.toContain(pet.id);
    expect(created.headers.location).toBe(`/v1${pets}/${pet.id}`);

    const one = `${pets}/${pet.id}`;
    expect((await call("GET", one)).json).toEqual(pet);
    const after = await listed(pets);
    expect(after.total).toBe(before.items.length + 1);
    expect(after.items).toContainEqual(pet);

    expect((await call("PATCH", one, { kind: "dog" })).json).toEqual({ ...pet, kind: "dog" });
    expect((await listed(`${pets}?kind=dog`)).items).toContainEqual({ ...pet, kind: "dog" });
    expect((await call("PUT", one, { name: "Tom", secret: "t" })).json).toEqual({ ...pet, name: "Tom" });
    expect((await call("GET", one)).json).toEqual({ ...pet, name: "Tom" });

    expect(await call("DELETE", one)).toMatchObject({ status: 204 });
    expect(await call("GET", one)).toMatchObject({ status: 404 });
    expect(await call("DELETE", one)).toMatchObject({ status: 404 });
    expect(await call("PUT", one, { name: "Tom", secret: "t" })).toMatchObject({ status: 404 });
    expect(await listed(pets)).toEqual(before);
  });

  test("is its collection's alone", async () => {
    const { id: created } = (await call("POST", "/owners/a/pets", { name: "Rex", secret: "s" })).json as Pet;
    expect((await call("GET", `/owners/a/pets/${created}`)).status).toBe(200);
    expect((await call("GET", `/owners/b/pets/${created}`)).status).toBe(404);
  });

  test("is listed up to a limit", async () => {
    for (const name of ["A", "B", "C"]) await call("POST", "/owners/c/pets", { name, secret: "s" });
    expect((await listed("/owners/c/pets?limit=2")).items).toHaveLength(2);
  });

  test("is there from the beginning where the mock lists it", async () => {
    const [first] = (await listed("/owners/d/pets")).items;
    expect((await call("GET", `/owners/d/pets/${first?.id ?? ""}`)).json).toEqual(first);
  });

  test("is not kept where nothing says what names it, nor where the contract would not let it be shown", async () => {
    const answer = await call("POST", "/notes", { text: "mine" });
    expect(answer).toMatchObject({ status: 201, json: { text: "always this" } });
    expect((await call("GET", "/notes/1")).status).toBe(200);
  });

  test("is passed over by a request that says what it wants", async () => {
    const path = "/owners/mia/pets/no-such-pet";
    expect((await call("GET", path)).status).toBe(404);
    const answer = await send(mock.port, `/v1${path}`, { headers: { Prefer: "code=200" } });
    expect(answer.status).toBe(200);
  });
});

test("what the mock added to a resource is read and listed as it was created", async () => {
  const note = {
    type: "object",
    required: ["id", "text", "mood"],
    properties: { id: { type: "integer" }, text: { type: "string" }, mood: { type: "string" } },
  };
  const toJson = (schema: object) => ({ "application/json": { schema } });
  const respond = (status: string, schema: object) => ({
    [status]: { description: "ok", content: toJson(schema) },
  });
  const contract = toRouted({
    openapi: "3.1.0",
    info: { title: "Notes", version: "1" },
    paths: {
      "/notes": {
        get: { operationId: "listNotes", responses: respond("200", { type: "array", items: note }) },
        post: {
          operationId: "createNote",
          requestBody: {
            required: true,
            content: toJson({
              type: "object",
              properties: { text: { type: "string" }, mood: { type: "string" } },
            }),
          },
          responses: respond("201", note),
        },
      },
      "/notes/{id}": {
        get: {
          operationId: "getNote",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
          responses: respond("200", note),
        },
      },
    },
  });
  const mock = await serve(contract, { stateful: true });
  try {
    const headers = { "Content-Type": "application/json" };
    const { json: created } = await send(mock.port, "/notes", {
      method: "POST",
      headers,
      body: '{"text":"Hi"}',
    });
    expect(created).toMatchObject({ text: "Hi", mood: expect.any(String) as unknown });
    const { id } = created as { readonly id: number };
    expect((await send(mock.port, `/notes/${id}`)).json).toEqual(created);
    expect((await send(mock.port, "/notes")).json).toContainEqual(created);
  } finally {
    await mock.stop();
  }
});

test("a creation beyond the most kept resources gets 503 until one is deleted", async () => {
  // The list and one more resource take the rest.
  const listed = Array.from({ length: MOST_KEPT - 2 }, (_, index) => ({ id: index }));
  const note = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
  const shelf = { name: "shelf", in: "path", required: true, schema: { type: "string" } };
  const respond = (status: string, content: object) => ({
    responses: { [status]: { description: "ok", content: { "application/json": content } } },
  });
  const mock = await serve(
    toRouted({
      openapi: "3.1.0",
      info: { title: "Notes", version: "1" },
      paths: {
        "/{shelf}/notes": {
          parameters: [shelf],
          get: {
            operationId: "listNotes",
            ...respond("200", { schema: { type: "array", items: note }, example: listed }),
          },
          post: {
            operationId: "addNote",
            requestBody: { content: { "application/json": { schema: { type: "object" } } } },
            ...respond("201", { schema: note }),
          },
        },
        "/{shelf}/notes/{id}": {
          parameters: [shelf, { name: "id", in: "path", required: true, schema: { type: "integer" } }],
          delete: { operationId: "deleteNote", responses: { "204": { description: "gone" } } },
        },
      },
    }),
    { stateful: true },
  );
  const create = (name: string) =>
    send(mock.port, `/${name}/notes`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
  try {
    // Reading keeps nothing.
    expect((await send(mock.port, "/other/notes")).status).toBe(200);
    expect((await create("a")).status).toBe(201);
    for (const name of ["a", "other"]) {
      const { status, text } = await create(name);
      expect([status, text]).toEqual([503, expect.stringContaining("keeps at most 10000 resources")]);
    }
    expect((await send(mock.port, "/a/notes/0", { method: "DELETE" })).status).toBe(204);
    expect((await create("a")).status).toBe(201);
    expect((await create("a")).status).toBe(503);
  } finally {
    await mock.stop();
  }
});

test("a pet of the store's contract is created and read", async () => {
  const mock = await serve(await loadRouted("openapi/v1.yaml"), { stateful: true });
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  try {
    const body = JSON.stringify({ name: "Luna", categoryId: 4 });
    const created = await send(mock.port, "/v1/pets", { method: "POST", headers, body });
    expect(created).toMatchObject({ status: 201, json: { id: 3, name: "Luna", categoryId: 4 } });
    expect((await send(mock.port, "/v1/pets/3", { headers })).json).toEqual({
      id: 3,
      name: "Luna",
      categoryId: 4,
    });
    expect((await send(mock.port, "/v1/pets", { headers })).json).toHaveLength(3);
    const available = (await send(mock.port, "/v1/pets?status=available", { headers })).json;
    expect(available).toEqual([expect.objectContaining({ name: "Rex", status: "available" })]);
    expect((await send(mock.port, "/v1/pets/4", { headers })).json).toMatchObject({ status: 404 });
  } finally {
    await mock.stop();
  }
});

describe("a list with a cursor", () => {
  const item = {
    type: "object",
    required: ["id", "kind"],
    properties: { id: { type: "integer" }, kind: { type: "string" } },
    example: { id: 1, kind: "a" },
  };
  const items = { type: "array", items: item };
  /** Lists whose pages point to the next one in other ways, each with its cursor. */
  const LISTS = {
    members: {
      cursor: { type: "string" },
      limit: { type: "integer", default: 2 },
      body: {
        items,
        nextCursor: { type: "string" },
        has_more: { type: "boolean" },
        total: { type: "integer" },
      },
    },
    parts: {
      cursor: { type: "integer" },
      limit: { type: "integer", default: 2 },
      body: { items, pageInfo: { type: "object", properties: { endCursor: { type: ["integer", "null"] } } } },
    },
    links: {
      cursor: { type: "string" },
      limit: { type: "integer", default: 2 },
      body: {
        items,
        links: {
          type: "object",
          required: ["next"],
          properties: { next: { type: ["string", "null"], format: "uri" } },
          example: { next: "https://pets.example/next" },
        },
      },
    },
    headers: { cursor: { type: "string" }, limit: { type: "integer", default: 2 } },
    unlimited: { cursor: { type: "string" }, body: { items, nextCursor: { type: "string" } } },
  };
  const toPaths = ([name, { cursor, body, ...others }]: [
    string,
    { cursor: object; body?: object; limit?: object },
  ]) => [
    [
      `/${name}`,
      {
        get: {
          operationId: `list-${name}`,
          parameters: [
            { name: "cursor", in: "query", schema: cursor },
            { name: "kind", in: "query", schema: { type: "string" } },
            ...(others.limit ? [{ name: "limit", in: "query", schema: others.limit }] : []),
          ],
          responses: {
            "200": {
              description: "A page.",
              ...(body === undefined && { headers: { Link: { schema: { type: "string" } } } }),
              content: {
                "application/json": {
                  schema:
                    body === undefined ? items : { type: "object", required: ["items"], properties: body },
                },
              },
            },
          },
        },
        post: {
          operationId: `create-${name}`,
          requestBody: { content: { "application/json": { schema: { type: "object" } } } },
          responses: { "201": { description: "It.", content: { "application/json": { schema: item } } } },
        },
      },
    ],
    [
      `/${name}/{id}`,
      {
        get: {
          operationId: `get-${name}`,
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
          responses: { "200": { description: "It.", content: { "application/json": { schema: item } } } },
        },
      },
    ],
  ];
  const document = {
    openapi: "3.1.0",
    info: { title: "Pages", version: "1" },
    paths: Object.fromEntries(Object.entries(LISTS).flatMap(toPaths)) as object,
  };

  interface Body {
    readonly items: readonly { id: number }[];
    readonly total?: number;
    readonly has_more?: boolean;
    readonly nextCursor?: string;
    readonly pageInfo?: { readonly endCursor?: number | null };
    readonly links?: { readonly next: string | null };
  }

  let pages: TestMock;
  const load = async (path: string) => {
    const { status, json, headers } = await send(pages.port, path);
    expect(status).toBe(200);
    const body = (Array.isArray(json) ? { items: json } : json) as Body;
    return { ...body, link: /^<(.*)>; rel="next"$/.exec(String(headers["link"]))?.[1] };
  };
  const toNext: Record<
    keyof typeof LISTS,
    (page: Body & { link?: string | undefined }) => string | undefined
  > = {
    members: ({ nextCursor }) => nextCursor && `/members?cursor=${nextCursor}`,
    unlimited: ({ nextCursor }) => nextCursor && `/unlimited?cursor=${nextCursor}`,
    parts: ({ pageInfo: { endCursor = null } = {} }) =>
      endCursor === null ? undefined : `/parts?cursor=${endCursor}`,
    links: ({ links }) => links?.next?.replace(/^http:\/\/[^/]+/, ""),
    headers: ({ link }) => link,
  };
  const create = async (path: string, count: number) => {
    for (let index = 0; index < count; index += 1) {
      const body = JSON.stringify({ kind: index % 2 === 0 ? "a" : "b" });
      await send(pages.port, path, { method: "POST", body, headers: { "Content-Type": "application/json" } });
    }
  };

  beforeAll(async () => {
    pages = await serve(toRouted(document), { stateful: true });
  });
  afterAll(() => pages.stop());

  test.each([
    ["members", 5, 3],
    ["parts", 5, 3],
    ["links", 4, 3],
    ["headers", 5, 3],
    ["unlimited", 40, 3],
  ] as const)("that points to the next page by %s has every item once", async (name, count, length) => {
    const { items: before } = await load(`/${name}`);
    await create(`/${name}`, count);
    const seen: number[] = [];
    const lengths: number[] = [];
    let next: string | undefined = `/${name}`;
    while (next !== undefined) {
      const page: Body & { link?: string | undefined } = await load(next);
      seen.push(...page.items.map(({ id }) => id));
      lengths.push(page.items.length);
      next = toNext[name](page);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(before.length + count);
    expect(lengths).toHaveLength(length);
  });

  test("has the limit and the filter of the request, and the number of all items", async () => {
    const all = await load("/members?limit=100");
    const { total = 0 } = all;
    expect(all).toMatchObject({ has_more: false });
    expect(all).not.toHaveProperty("nextCursor");
    expect(total).toBe(all.items.length);
    const page = await load("/members?limit=1&kind=b");
    expect(page).toMatchObject({ total: 2, has_more: true });
    expect(page.items).toHaveLength(1);
    const rest = await load(`/members?limit=9&kind=b&cursor=${page.nextCursor ?? ""}`);
    expect(rest).toMatchObject({ total: 2, has_more: false });
    expect(rest.items).toHaveLength(1);
  });

  test("has nothing after an unknown cursor", async () => {
    expect(await load("/members?cursor=unknown")).toMatchObject({ items: [], has_more: false });
  });
});
