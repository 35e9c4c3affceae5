import express, { type Express, type Request } from "express";
import { HttpError, type Problem, type ResponseProblem } from "tenon/runtime";
import { authenticators } from "../books/app.js";
import { createPartialApi } from "../books/generated/server.js";
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
