import { mock } from "@tenon/cli/mock";
import express, { type Express } from "express";
import { authenticators, errors } from "../books/app.js";
import { createPartialApi } from "../books/generated/server.js";
import { type Callers, createHandlers } from "../books/handlers.js";

/** One operation has moved, and what `addOlder` adds answers all others as before. */
export function createFirstStep(addOlder: (app: Express) => void): Express {
  const { getBook } = createHandlers();
  const app = express();
  app.use(
    createPartialApi<object, Callers>({
      ...errors,
      authenticators,
      handlers: { getBook },
      unimplemented: "next",
      responseValidation: "report",
    }),
  );
  addOlder(app);
  return app;
}

/** What the handler `notImplemented` was for. */
export function createMocked(): Express {
  const { getBook } = createHandlers();
  const app = express();
  app.use(
    createPartialApi<object, Callers>({
      ...errors,
      authenticators,
      handlers: { getBook },
      unimplemented: mock(),
    }),
  );
  return app;
}
