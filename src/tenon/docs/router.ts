import process from "node:process";
import { Router, type Request } from "express";
import { serveReadOnly } from "../runtime/index.js";
import { DOCS_CONTENT_SECURITY_POLICY, RELOAD_POLICY } from "./policy.js";
import { createRepresentations } from "./representation.js";
import { createReloadEvents, RELOAD_EVENTS } from "./reload.js";
import { createDocsSite, INDEX, type DocumentedContract } from "./site.js";

/**
 * Serves the docs site of a contract below the path it is mounted on: `app.use("/docs", createDocsRouter(contract))`.
 * The page's policy keeps it from asking any other host for anything. Names that the site does not have go on to the
 * app; a method other than GET and HEAD is an `HttpError`. Under `tenon dev` the page loads itself again after a restart.
 */
export function createDocsRouter(contract: DocumentedContract): Router {
  const reload = process.env["TENON_DEV"] === "1";
  const policy = reload ? DOCS_CONTENT_SECURITY_POLICY + RELOAD_POLICY : DOCS_CONTENT_SECURITY_POLICY;
  const router = Router({ strict: true, caseSensitive: true });
  for (const { name, mediaType, text } of createDocsSite(contract, { reload })) {
    const represent = createRepresentations(text);
    serveReadOnly(router, name === INDEX ? "/" : `/${name}`, async (request, response) => {
      const folder = name === INDEX ? toFolder(request) : undefined;
      if (folder !== undefined) {
        response.status(308).setHeader("Location", folder).end();
        return;
      }
      const { bytes, etag, coding } = await represent(request);
      response.setHeader("Content-Security-Policy", policy);
      response.setHeader("X-Content-Type-Options", "nosniff");
      // Names stay the same from one version to the next, so a browser keeps the files and asks whether they hold.
      response.setHeader("Cache-Control", "no-cache");
      response.setHeader("Vary", "Accept-Encoding");
      response.setHeader("ETag", etag);
      response.setHeader("Content-Type", mediaType);
      if (coding !== undefined) response.setHeader("Content-Encoding", coding);
      // Answers HEAD without the body, and 304 when the client has this very representation.
      response.send(bytes);
    });
  }
  if (reload) router.get(`/${RELOAD_EVENTS}`, createReloadEvents());
  return router;
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
