import { type RequestListener, type Server, STATUS_CODES } from "node:http";
import express from "express";
import { createHttpServer, type Problem } from "tenon/runtime";
import { authenticators } from "../books/app.js";
import { createPartialApi } from "../books/generated/server.js";
import { type Callers, createHandlers } from "../books/handlers.js";

/** Fastify's error body. */
const errors = {
  errorBody: ({ message, status }: Problem) => ({
    statusCode: status,
    error: STATUS_CODES[status] ?? "Error",
    message,
  }),
};

/** One operation has moved, and `fastify.routing` answers all others as before. */
export function createFirstStep(fastify: { readonly routing: RequestListener }): Server {
  const { getBook } = createHandlers();
  const app = express();
  app.disable("x-powered-by");
  app.use(
    createPartialApi<object, Callers>({
      ...errors,
      authenticators,
      handlers: { getBook },
      unimplemented: "next",
      responseValidation: "report",
    }),
  );
  app.use((request, response) => {
    fastify.routing(request, response);
  });
  return createHttpServer(app, errors);
}
