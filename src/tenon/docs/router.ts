import { Router } from "express";
import { serveReadOnly } from "../runtime/index.js";
import { createDocsSite, DOCS_CONTENT_SECURITY_POLICY, type DocumentedContract } from "./site.js";

/**
 * Serves the docs site of a contract below the path it is mounted on: `app.use("/docs", createDocsRouter(contract))`.
 * The page's policy keeps it from asking any other host for anything.
 */
export function createDocsRouter(contract: DocumentedContract): Router {
  const router = Router({ strict: true });
  for (const { name, mediaType, text } of createDocsSite(contract)) {
    const bytes = Buffer.from(text, "utf8");
    serveReadOnly(router, name === "index.html" ? "/" : `/${name}`, (request, response) => {
      // Relative names need the slash: from /docs, "docs.js" would be /docs.js.
      if (name === "index.html" && !request.originalUrl.split("?", 1)[0]?.endsWith("/")) {
        response.redirect(308, `${request.baseUrl}/`);
        return;
      }
      response.setHeader("Content-Security-Policy", DOCS_CONTENT_SECURITY_POLICY);
      response.setHeader("Content-Type", mediaType);
      response.setHeader("Cache-Control", "no-cache");
      response.send(bytes);
    });
  }
  return router;
}
