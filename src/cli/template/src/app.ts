import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Express } from "express";
import { createDocsRouter } from "tenon/docs";
import { createErrorHandler, HttpError, type Problem } from "tenon/runtime";
import {
  contractUrl,
  createApi,
  type Error as ErrorBody,
  type ErrorOptions,
} from "../generated/v1/server.js";
import { handlers } from "./handlers/index.js";
import { NoteStore } from "./notes.js";

export interface AppOptions {
  /** The one key that callers send. */
  readonly apiKey: string;
}

/** The service as an Express app: the contract's operations and their docs. */
export function createApp({ apiKey }: AppOptions): Express {
  // What fails is told on standard error; `onFailure` takes it to a log of your own.
  const errors: ErrorOptions = { errorBody: toErrorBody };
  const notes = new NoteStore();
  const app = express();
  app.disable("x-powered-by");
  app.use("/docs", createDocsRouter({ folder: new URL("docs/", contractUrl) }));
  app.use(
    createApi({
      ...errors,
      handlers,
      authenticators: { bearerAuth: (key) => (isEqual(key, apiKey) ? { name: "the caller" } : undefined) },
      context: () => ({ notes }),
    }),
  );
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errors));
  return app;
}

/** The contract's error body for a problem that the runtime found. */
export function toErrorBody({ code, message, status }: Problem): ErrorBody {
  return { code, message, status };
}

/** Takes the same time wherever two keys differ. */
function isEqual(a: string, b: string): boolean {
  const [hashOfA, hashOfB] = [a, b].map((key) => createHash("sha256").update(key).digest());
  return hashOfA !== undefined && hashOfB !== undefined && timingSafeEqual(hashOfA, hashOfB);
}
