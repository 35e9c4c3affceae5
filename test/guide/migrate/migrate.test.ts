// @slow: loads several frameworks.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "@jest/globals";
import express, { type Express, type Request } from "express";
import type { ResponseProblem } from "tenon/runtime";
import { emitApi } from "../../../src/cli/generator/index.js";
import { loadApis } from "../../../src/cli/project/index.js";
import { createDirectory } from "../../support/directory.js";
import { close, listen } from "../../support/http.js";
import { createApp, errors } from "./books/app.js";
import { answer, type BookRequest, REQUESTS } from "./requests.js";
import {
  createBeside,
  createConverting,
  createFirstStep as startFromValidator,
  scopedAuthenticators,
} from "./services/express-openapi-validator.js";
import { createFirstStep as startFromGlue } from "./services/fastify-openapi-glue.js";
import { createFirstStep as startFromBackend, createMocked } from "./services/openapi-backend.js";
import {
  type BooksService,
  createFirstStep as startFromGenerator,
  readTitle,
} from "./services/openapi-generator.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGES = ["express-openapi-validator", "openapi-backend", "fastify-openapi-glue", "openapi-generator"];

/** Serves an app as long as it is used. */
async function serve(app: Express | Server, use: (origin: string) => Promise<void>): Promise<void> {
  const server = app instanceof Server ? app : createServer(app as RequestListener);
  try {
    await use(`http://127.0.0.1:${await listen(server)}`);
  } finally {
    await close(server);
  }
}

/** What an app answers, as the tables have it. */
async function ask(app: Express | Server, requests: readonly Omit<BookRequest, "name">[]): Promise<string[]> {
  const answers: string[] = [];
  await serve(app, async (origin) => {
    for (const request of requests) answers.push(await answer(origin, { name: "", ...request }));
  });
  return answers;
}

function readPage(page: string): string {
  return readFileSync(join(ROOT, `src/cli/guide/migrate/${page}.md`), "utf8");
}

/** The rows of a page's table of requests. */
function readRows(page: string): string[][] {
  const [, table = ""] = readPage(page).split(
    /^\| Request +\| Before +\| After +\|\n\| -+ \| -+ \| -+ \|\n/m,
  );
  return table
    .slice(0, table.indexOf("\n\n"))
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

describe("what a page says that a service answers in the end is what it answers:", () => {
  const failed: string[] = [];
  const reported = new Set<string>();
  let answers: readonly string[];

  beforeAll(async () => {
    const app = createApp(
      {
        ...errors,
        onFailure: ({ error, problem }) => {
          if (problem.status >= 500) failed.push(String(error));
        },
      },
      ({ operationId, problems }) => {
        if (operationId !== "listBooks") reported.add(`${operationId}: ${problems.join("; ")}`);
      },
    );
    answers = (await ask(app, REQUESTS)).map((text) => `\`${text}\``);
  });

  test.each(PAGES)("%s", (page) => {
    const rows = readRows(page);
    expect(rows.map(([name]) => name)).toStrictEqual(REQUESTS.map(({ name }) => name));
    expect(rows.map(([, before, after]) => (after === "the same" ? before : after))).toStrictEqual(answers);
  });

  test("and what nobody is told of a failure is in the log", () => {
    expect(failed).toStrictEqual(["Error: connect ECONNREFUSED 10.0.0.7:5432"]);
  });

  test("and responses that are not as declared are reported", () => {
    const undeclared = "/tags is not declared; /pricePaid is not declared";
    expect([...reported]).toStrictEqual([
      `getBook: ${undeclared}`,
      `getBook: ${undeclared}; /year must be an integer`,
      "createBook: /isbn is not declared",
    ]);
  });
});

describe("in the first step what has moved is answered, and the rest is left:", () => {
  const older = express().use((_, response) => {
    response.send("older");
  });
  const addOlder = (app: Express): void => {
    app.use(older);
  };
  const requests = [
    { path: "/books/1" },
    { path: "/books/0" },
    { path: "/books", method: "POST", body: "{}", contentType: "a/b" },
    { path: "/nothing" },
  ];
  const answers = [
    expect.stringMatching(/^200 .*War and Peace/),
    '400 Path parameter "bookId" must be at least 1',
    "200 older",
    "200 older",
  ];

  test("express-openapi-validator, where a bad answer is told and sent", async () => {
    const told: ResponseProblem[] = [];
    const app = startFromValidator(addOlder, (problem) => told.push(problem));
    expect(await ask(app, requests)).toStrictEqual(answers);
    const undeclared = ["/tags is not declared", "/pricePaid is not declared"];
    expect(told).toMatchObject([{ operationId: "getBook", problems: undeclared }]);
    expect(await ask(app, [{ path: "/books/3" }])).toStrictEqual([
      expect.stringMatching(/^200 .*about 1688/),
    ]);
    expect(told[1]).toMatchObject({ problems: [...undeclared, "/year must be an integer"] });
    await serve(app, async (origin) => {
      const response = await fetch(`${origin}/v1/books/0`, { headers: { authorization: "Bearer secret" } });
      expect(await response.json()).toStrictEqual({
        message: 'Path parameter "bookId" must be at least 1',
        errors: [{ path: "/path/bookId", message: "must be at least 1" }],
      });
    });
  });

  test("openapi-backend", async () => {
    expect(await ask(startFromBackend(addOlder), requests)).toStrictEqual(answers);
  });

  test("fastify-openapi-glue, with Fastify's error body", async () => {
    const fastify = { routing: older as RequestListener };
    expect(await ask(startFromGlue(fastify), requests)).toStrictEqual(answers);
    await serve(startFromGlue(fastify), async (origin) => {
      const response = await fetch(`${origin}/v1/books/1`);
      expect(await response.json()).toStrictEqual({
        statusCode: 401,
        error: "Unauthorized",
        message: "Missing credentials; expected Authorization: Bearer <token>",
      });
    });
  });

  test("openapi-generator, whose services are called as they are", async () => {
    const service: BooksService = {
      getBook: ({ bookId: id }) =>
        id === 1
          ? Promise.resolve({ code: 200, payload: { id, title: "Emma", year: 1815, language: "en" } })
          : Promise.reject(Object.assign(new Error(), { code: 404, error: { message: "No such book" } })),
      createBook: ({ newBook }) => Promise.resolve({ code: 201, payload: { id: 4, ...newBook } }),
    };
    const body = '{"title":"Emma","year":1815}';
    const calls = [
      { path: "/books/1" },
      { path: "/books/99" },
      { path: "/books", method: "POST", contentType: "application/json", body },
      { path: "/books" },
    ];
    expect(await ask(startFromGenerator(service), calls)).toStrictEqual([
      '200 {"id":1,"title":"Emma","year":1815,"language":"en"}',
      "404 No such book",
      '201 {"id":4,"title":"Emma","year":1815,"language":"en"}',
      "501 This operation is not implemented yet",
    ]);
  });
});

test("express-openapi-validator: handlers convert values and store files", async () => {
  const folder = createDirectory();
  const form = new FormData();
  form.set("image", new Blob(["\u0089PNG"], { type: "image/png" }), "cover.png");
  const calls = [
    { path: "/books?since=1850-01-01&colour=red" },
    { path: "/books?since=1850-02-30" },
    { path: "/books/1/cover", method: "PUT", body: form },
  ];
  expect(await ask(createConverting(folder), calls)).toStrictEqual([
    "200 IDs 1",
    '400 Query parameter "since" must match format "date"',
    '200 {"bytes":5}',
  ]);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("express-openapi-validator: paths of any depth and ignored paths never reach the API", async () => {
  const app = createBeside(createApp(), (path) => /^\/v1\/books\/\d+\/notes$/.test(path));
  app.use((_, response) => {
    response.send("older");
  });
  const calls = [{ path: "/files/a/b.txt" }, { path: "/books/1/notes" }, { path: "/books/2" }];
  expect(await ask(app, calls)).toStrictEqual([
    "200 a/b.txt",
    "200 older",
    expect.stringMatching(/^200 .*Persuasion/),
  ]);
});

test("express-openapi-validator: an authenticator tells 401 and 403 apart", () => {
  const authenticate = (key: string, method: string): unknown =>
    scopedAuthenticators.key(key, { request: { method } as Request });
  expect(authenticate("wrong", "GET")).toBeUndefined();
  expect(authenticate("reading", "GET")).toStrictEqual({ name: "reader" });
  expect(() => authenticate("reading", "POST")).toThrow(expect.objectContaining({ status: 403 }));
});

test("openapi-backend: operations without a handler are mocked", async () => {
  expect(await ask(createMocked(), [{ path: "/books/99" }, { path: "/books" }])).toStrictEqual([
    "404 No such book",
    expect.stringMatching(/^200 IDs/),
  ]);
});

test("openapi-generator: the client of the page reads titles", async () => {
  await serve(createApp(), async (origin) => {
    const baseUrl = `${origin}/v1`;
    expect(await readTitle(baseUrl, "secret", 2)).toBe("Persuasion");
    expect(await readTitle(baseUrl, "secret", 99)).toBeUndefined();
    await expect(readTitle(baseUrl, "wrong", 2)).rejects.toThrow("The service answered 401");
  });
});

test.each(["README", ...PAGES])(
  "the snippets of %s are in the files that they are said to be from",
  (page) => {
    const trim = (text: string): string => text.replace(/^\s+/gm, "");
    const blocks = [...readPage(page).matchAll(/^<!-- from: (\S+) -->\n\n```ts\n(.*?)^```$/gms)];
    expect(blocks.length).toBeGreaterThan(1);
    for (const [, file = "", block = ""] of blocks)
      expect(trim(readFileSync(join(ROOT, file), "utf8"))).toContain(trim(block));
  },
);

test("what is generated from the contract of the pages is up to date", async () => {
  const folder = join(ROOT, "test/guide/migrate/books");
  const [api] = await loadApis(folder);
  if (api === undefined) throw new Error("redocly.yaml has no API");
  for (const [file, text] of (await emitApi(api, folder)).files) {
    const path = join(folder, "generated", file);
    if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(path, text);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});
