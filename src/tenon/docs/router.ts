import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Router, type Request, type RequestHandler, type Response } from "express";
import { HttpError } from "../runtime/index.js";
import { createReloadEvents, RELOAD_EVENTS } from "./reload.js";
import { createRepresentations } from "./representation.js";
import { readSite, type SiteFile } from "./site.js";

export interface DocsRouterOptions {
  /** Folder that `tenon docs` has written; beside the contract unless told otherwise: `new URL("docs/", contractUrl)`. */
  readonly folder: string | URL;
}

/** A file that is served from memory. */
export interface ServedFile extends SiteFile {
  readonly text: string;
}

/**
 * Serves a docs site below the path that the router is mounted on. Names that the site does not have go on to the app; a
 * method other than GET and HEAD is an `HttpError` with status 405. Without a site, the page answers 404 with the command
 * that builds it. Under `tenon dev` pages reload themselves after a restart.
 * @throws {Error} when the folder's list of files is not JSON.
 * @example
 * app.use("/docs", createDocsRouter({ folder: new URL("docs/", contractUrl) }));
 */
export function createDocsRouter({ folder }: DocsRouterOptions): Router {
  const path = typeof folder === "string" ? folder : fileURLToPath(folder);
  const router = Router({ strict: true, caseSensitive: true });
  if (process.env["TENON_DEV"] === "1") {
    router.get(`/${RELOAD_EVENTS}`, createReloadEvents(path));
    // The site is written again while the service runs.
    router.use((request, response, next) => createSiteHandler(path)(request, response, next));
  } else {
    router.use(createSiteHandler(path));
  }
  return router;
}

/**
 * Serves files from memory, compressed where the client accepts it, with a strong validator.
 * @example
 * app.use(createFilesRouter([{ name: "openapi.json", mediaType: "application/json", text }]));
 */
export function createFilesRouter(files: readonly ServedFile[]): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.use(
    createPathHandler(
      new Map(files.map((file) => [`/${file.name}`, createFileHandler(file, () => Buffer.from(file.text))])),
    ),
  );
  return router;
}

const INDEX = "index.html";

type ServeFile = (request: Request, response: Response) => Promise<void>;

function createSiteHandler(folder: string): RequestHandler {
  const site = readSite(folder);
  if (site === undefined) return answerMissing;
  const handlers = site.files.flatMap((file) => {
    const serve = createFileHandler({ policy: site.policy, ...file }, () =>
      readFileSync(join(folder, file.name)),
    );
    return toHandlers(file.name, serve);
  });
  return createPathHandler(new Map(handlers));
}

/** Paths below the router and what they answer. */
function toHandlers(name: string, serve: ServeFile): readonly (readonly [string, ServeFile])[] {
  const path = `/${name}`;
  if (!path.endsWith(`/${INDEX}`)) return [[path, serve]];
  const parent = path.slice(0, -INDEX.length);
  const toPage = [path, redirect("./")] as const;
  // A path without the slash at its end would resolve the page's relative names one level too high.
  if (parent === "/")
    return [[parent, (request, response) => toSlash(request, response) ?? serve(request, response)], toPage];
  const segments = parent.split("/");
  return [[parent, serve], toPage, [parent.slice(0, -1), redirect(`./${segments.at(-2) ?? ""}/`)]];
}

function createPathHandler(handlers: ReadonlyMap<string, ServeFile>): RequestHandler {
  return (request, response, next) => {
    const serve = handlers.get(request.path);
    if (serve === undefined) {
      next();
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new HttpError("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
    return serve(request, response);
  };
}

function redirect(location: string): ServeFile {
  return (_, response) => {
    response.status(308).setHeader("Location", location).end();
    return Promise.resolve();
  };
}

/**
 * Redirects `/docs?a=b` to `./docs/?a=b`. The address is relative, because behind a proxy that strips a prefix only the client
 * knows the whole path.
 * @returns undefined when the path has its slash.
 */
function toSlash(request: Request, response: Response): Promise<void> | undefined {
  const [path = "", ...query] = request.originalUrl.split(/(?=\?)/);
  if (path.endsWith("/")) return undefined;
  return redirect(`./${path.slice(path.lastIndexOf("/") + 1)}/${query.join("")}`)(request, response);
}

function createFileHandler({ mediaType, policy }: SiteFile, read: () => Buffer): ServeFile {
  let represent: ReturnType<typeof createRepresentations> | undefined;
  return async (request, response) => {
    represent ??= createRepresentations(read());
    const { bytes, etag, coding } = await represent(request);
    // Only a header can say who may frame the page; the rest is in the page too.
    if (policy !== undefined)
      response.setHeader("Content-Security-Policy", `${policy}; frame-ancestors 'none'`);
    response.setHeader("X-Content-Type-Options", "nosniff");
    // Names stay the same from one version to the next, so a browser keeps the files and revalidates them.
    response.setHeader("Cache-Control", "no-cache");
    response.vary("Accept-Encoding");
    response.setHeader("ETag", etag);
    response.setHeader("Content-Type", mediaType);
    if (coding !== undefined) response.setHeader("Content-Encoding", coding);
    // Express answers HEAD without the body, and 304 to a client that has this very representation.
    response.send(bytes);
  };
}

/** In development the site may still be on its way: the page asks again. */
const MISSING = `<!doctype html>
<meta charset="utf-8" />
<meta http-equiv="refresh" content="1" />
<title>Docs</title>
<p>The docs have not been built. Run: <code>npx tenon docs</code></p>
`;

const answerMissing: RequestHandler = (request, response, next) => {
  if (request.path === "/" && request.method === "GET") response.status(404).type("html").send(MISSING);
  else next();
};
