import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type Express, type Request, type RequestHandler } from "express";
import { HttpError, type Problem, type ResponseProblem } from "tenon/runtime";
import { authenticators } from "../books/app.js";
import { type Book, createApi, createPartialApi } from "../books/generated/server.js";
import { type Callers, createHandlers } from "../books/handlers.js";

/** Error bodies with the list that clients know from express-openapi-validator. */
const errors = {
  errorBody: ({ message, violations = [] }: Problem) => ({
    message,
    errors: violations.map(({ in: place, path, text }) => ({
      path: `/${[place, ...path].join("/")}`,
      message: text,
    })),
  }),
};

/** One operation has moved, and what `addOlder` adds answers all others as before. */
export function createFirstStep(
  addOlder: (app: Express) => void,
  log: (problem: ResponseProblem) => void,
): Express {
  const { getBook } = createHandlers();
  const app = express();
  app.use(
    createPartialApi<object, Callers>({
      ...errors,
      authenticators,
      handlers: { getBook },
      unimplemented: "next",
      responseValidation: "report",
      onResponseProblem: log,
    }),
  );
  addOlder(app);
  return app;
}

/** What a security handler of express-openapi-validator becomes that told 401 and 403 apart. */
export const scopedAuthenticators = {
  key(key: string, { request }: { readonly request: Request }) {
    if (key === "reading" && request.method !== "GET") {
      throw new HttpError("forbidden", { message: "This key may only read" });
    }
    return key === "reading" || key === "secret" ? { name: "reader" } : undefined;
  },
};

const books: readonly Book[] = [
  { id: 1, title: "War and Peace", year: 1867, language: "ru" },
  { id: 2, title: "Persuasion", year: 1817, language: "en" },
];

/** Replaces the options `serDes` and `fileUploader`: handlers convert values and store files themselves. */
export function createConverting(folder: string): Express {
  const handlers = createHandlers();
  const api = createApi<object, Callers>({
    ...errors,
    authenticators,
    handlers: {
      ...handlers,
      listBooks({ query: { since } }, reply) {
        const from = since === undefined ? undefined : new Date(since);
        return reply[200](books.filter((book) => from === undefined || book.year >= from.getUTCFullYear()));
      },
      async putCover({ body: { image } }, reply) {
        await writeFile(join(folder, randomUUID()), image.bytes);
        return reply[200]({ bytes: image.bytes.length });
      },
    },
    undeclaredQuery: "ignore",
  });
  return express().use(api);
}

/** Replaces `ignorePaths`, and paths with wildcards: both are served before the API sees them. */
export function createBeside(api: RequestHandler, isIgnored: (path: string) => boolean): Express {
  const app = express();
  app.get("/v1/files/*path", (request, response) => {
    response.send(request.params.path.join("/"));
  });
  app.use((request, response, next) => {
    if (isIgnored(request.path)) next();
    else api(request, response, next);
  });
  return app;
}
