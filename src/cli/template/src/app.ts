import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Express } from "express";
import { createDocsRouter } from "tenon/docs";
import { createErrorHandler, HttpError, type Problem, requireLocal } from "tenon/runtime";
import { contractUrl, createApi, type ErrorBody, type ErrorOptions } from "../generated/v1/server.ts";
import { handlers } from "./handlers/index.ts";
import { NoteStore } from "./notes.ts";

export interface AppOptions {
  /** The API key that callers send. */
  readonly apiKey: string;
  /** The host that a development server listens on: only requests of this machine are accepted. Default: requests of all sites. */
  readonly localHost?: string;
}

/** Creates the Express app: the contract's operations and their docs. */
export function createApp({ apiKey, localHost }: AppOptions): Express {
  // Failures are logged to standard error. Set `onFailure` to use your own log.
  const errors: ErrorOptions = { errorBody: toErrorBody };
  const notes = new NoteStore();
  const app = express();
  app.disable("x-powered-by");
  if (localHost !== undefined) app.use(requireLocal(localHost));
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

/** Converts a problem that the runtime reports to the contract's error body. */
export function toErrorBody({ code, message, status }: Problem): ErrorBody {
  return { code, message, status };
}

/** Compares two keys in constant time. */
function isEqual(a: string, b: string): boolean {
  const [hashOfA, hashOfB] = [a, b].map((key) => createHash("sha256").update(key).digest());
  return hashOfA !== undefined && hashOfB !== undefined && timingSafeEqual(hashOfA, hashOfB);
}
