import process from "node:process";
import { Router, type Request, type Response } from "express";
import { serveReadOnly } from "../runtime/index.js";
import { DOCS_CONTENT_SECURITY_POLICY, RELOAD_POLICY } from "./policy.js";
import { createRepresentations } from "./representation.js";
import { createReloadEvents, RELOAD_EVENTS } from "./reload.js";
import {
  createContractFiles,
  createDocsSite,
  type DocsFile,
  INDEX,
  type DocumentedContract,
} from "./site.js";

/**
 * Serves the docs site of a contract below the path it is mounted on: `app.use("/docs", createDocsRouter(contract))`.
 * The page's policy keeps it from asking any other host for anything. Names that the site does not have go on to the
 * app; a method other than GET and HEAD is an `HttpError`. Under `tenon dev` the page loads itself again after a restart.
 */
export function createDocsRouter(contract: DocumentedContract): Router {
  const reload = process.env["TENON_DEV"] === "1";
  const policy = reload ? DOCS_CONTENT_SECURITY_POLICY + RELOAD_POLICY : DOCS_CONTENT_SECURITY_POLICY;
  const router = Router({ strict: true, caseSensitive: true });
  for (const file of createDocsSite(contract, { reload })) {
    const serve = createFileHandler(file, { "Content-Security-Policy": policy });
    serveReadOnly(router, file.name === INDEX ? "/" : `/${file.name}`, async (request, response) => {
      const folder = file.name === INDEX ? toFolder(request) : undefined;
      if (folder === undefined) await serve(request, response);
      else response.status(308).setHeader("Location", folder).end();
    });
  }
  if (reload) router.get(`/${RELOAD_EVENTS}`, createReloadEvents());
  return router;
}

/** Serves a contract as `openapi.json` and `openapi.yaml` at the path that it is mounted on. */
export function createContractFilesRouter(contract: DocumentedContract): Router {
  const router = Router({ strict: true, caseSensitive: true });
  for (const file of createContractFiles(contract)) {
    serveReadOnly(router, `/${file.name}`, createFileHandler(file));
  }
  return router;
}

function createFileHandler(
  { mediaType, text }: DocsFile,
  headers: Readonly<Record<string, string>> = {},
): (request: Request, response: Response) => Promise<void> {
  const represent = createRepresentations(text);
  return async (request, response) => {
    const { bytes, etag, coding } = await represent(request);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader("X-Content-Type-Options", "nosniff");
    // Names stay the same from one version to the next, so a browser keeps the files and asks whether they hold.
    response.setHeader("Cache-Control", "no-cache");
    response.vary("Accept-Encoding");
    response.setHeader("ETag", etag);
    response.setHeader("Content-Type", mediaType);
    if (coding !== undefined) response.setHeader("Content-Encoding", coding);
    // Answers HEAD without the body, and 304 when the client has this very representation.
    response.send(bytes);
  };
}

/**
 * Where the page is, when the request's path lacks the slash that relative names need: from /docs, "docs.js" would be
 * /docs.js. Relative itself, because behind a proxy that strips a prefix only the client knows the whole path.
 * `/docs?a=b` becomes `./docs/?a=b`.
 */
function toFolder({ originalUrl }: Request): string | undefined {
  const [path = "", ...query] = originalUrl.split(/(?=\?)/);
  if (path.endsWith("/")) return undefined;
  return `./${path.slice(path.lastIndexOf("/") + 1)}/${query.join("")}`;
}
