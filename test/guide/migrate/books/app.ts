import express, { type Express } from "express";
import { createErrorHandler, HttpError, type ResponseProblem } from "tenon/runtime";
import { createApi, type ErrorOptions } from "./generated/server.js";
import { type Callers, createHandlers } from "./handlers.js";

export const errors: ErrorOptions = {
  errorBody: ({ message }) => ({ message }),
};

export const authenticators = {
  key: (key: string) => (key === "secret" ? { name: "reader" } : undefined),
};

/** What all four services are in the end. */
export function createApp(
  errorOptions: ErrorOptions = errors,
  onResponseProblem: (problem: ResponseProblem) => void = () => undefined,
): Express {
  const handlers = createHandlers();
  const app = express();
  const api = { ...errorOptions, authenticators, handlers };
  app.use(createApi<object, Callers>({ ...api, responseValidation: "report", onResponseProblem }));
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errorOptions));
  return app;
}
