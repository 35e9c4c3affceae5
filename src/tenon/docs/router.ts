import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Router, type Request, type RequestHandler, type Response } from "express";
import { HttpError } from "../runtime/index.js";
import { createReloadEvents, RELOAD_EVENTS } from "./reload.js";
import { createRepresentations } from "./representation.js";
import { readSite, type SiteFile } from "./site.js";

/**
 * The options of {@link createDocsRouter}.
 * @example
 * const options: DocsRouterOptions = { folder: new URL("docs/", contractUrl) };
 * app.use("/docs", createDocsRouter(options));
 */
export interface DocsRouterOptions {
  /** Folder of the site, as a path or a `file:` URL. `tenon docs` writes it beside the contract by default: `new URL("docs/", contractUrl)`. */
  readonly folder: string | URL;
}

/**
 * A file that is served from memory.
 * @example
 * const robots: ServedFile = { name: "robots.txt", mediaType: "text/plain; charset=utf-8", text: "User-agent: *" };
 * app.use(createFilesRouter([robots]));
 */
export interface ServedFile extends SiteFile {
  /** The text, or a function that makes it, which is called for the first request. */
  readonly text: string | (() => string | Promise<string>);
}

/**
 * Creates a router that serves a docs site below its mount path. Unknown paths go to the next middleware. Methods other than GET
 * and HEAD throw an `HttpError` with status 405. Without a site, the page is a 404 with the command that builds it. Under
 * `tenon dev`, pages reload after a restart.
 * @throws {Error} when the folder's `site.json` is not JSON.
 * @example
 * app.use("/docs", createDocsRouter({ folder: new URL("docs/", contractUrl) }));
 */
export function createDocsRouter({ folder }: DocsRouterOptions): Router {
  const path = typeof folder === "string" ? folder : fileURLToPath(folder);
  const router = Router({ strict: true, caseSensitive: true });
  if (process.env["TENON_DEV"] === "1") {
    router.get(`/${RELOAD_EVENTS}`, createReloadEvents(path));
    // `tenon dev` rebuilds the site while the service runs.
    router.use((request, response, next) => createSiteHandler(path)(request, response, next));
  } else {
    router.use(createSiteHandler(path));
  }
  return router;
}

/**
 * Creates a router that serves files from memory, with a strong `ETag`, and compressed when the client accepts it.
 * @example
 * const text = JSON.stringify({ openapi: "3.1.0" });
 * app.use(createFilesRouter([{ name: "openapi.json", mediaType: "application/json", text }]));
 */
export function createFilesRouter(files: readonly ServedFile[]): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const handlers = files.map((file) => {
    const { name, text } = file;
    const read = async () => Buffer.from(typeof text === "string" ? text : await text());
    return [`/${name}`, createFileHandler(file, read)] as const;
  });
  router.use(createPathHandler(new Map(handlers)));
  return router;
}

const INDEX = "index.html";

type ServeFile = (request: Request, response: Response) => Promise<void>;

function createSiteHandler(folder: string): RequestHandler {
  const site = readSite(folder);
  if (site === undefined) return respondMissing;
  const handlers = site.files.flatMap((file) => {
    const serve = createFileHandler({ policy: site.policy, ...file }, () =>
      readFileSync(join(folder, file.name)),
    );
    return toHandlers(file.name, serve);
  });
  return createPathHandler(new Map(handlers));
}

/** Creates the handlers of a file, by path below the router. */
function toHandlers(name: string, serve: ServeFile): readonly (readonly [string, ServeFile])[] {
  const path = `/${name}`;
  if (!path.endsWith(`/${INDEX}`)) return [[path, serve]];
  const parent = path.slice(0, -INDEX.length);
  const toPage = [path, redirect("./")] as const;
  // Without the trailing slash, the page's relative links would resolve one level too high.
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
 * Redirects `/docs?a=b` to `./docs/?a=b`. The location is relative: behind a proxy that strips a prefix, only the client knows the
 * full path.
 * @returns undefined when the path ends with a slash.
 */
function toSlash(request: Request, response: Response): Promise<void> | undefined {
  const [path = "", ...query] = request.originalUrl.split(/(?=\?)/);
  if (path.endsWith("/")) return undefined;
  return redirect(`./${path.slice(path.lastIndexOf("/") + 1)}/${query.join("")}`)(request, response);
}

function createFileHandler({ mediaType, policy }: SiteFile, read: () => Buffer | Promise<Buffer>): ServeFile {
  let represent: ReturnType<typeof createRepresentations> | undefined;
  return async (request, response) => {
    represent ??= createRepresentations(await read());
    const { bytes, etag, coding } = await represent(request);
    // `frame-ancestors` only works in a header; the rest of the policy is in the page too.
    if (policy !== undefined)
      response.setHeader("Content-Security-Policy", `${policy}; frame-ancestors 'none'`);
    response.setHeader("X-Content-Type-Options", "nosniff");
    // File names do not change between versions, so browsers must revalidate their copies.
    response.setHeader("Cache-Control", "no-cache");
    response.vary("Accept-Encoding");
    response.setHeader("ETag", etag);
    response.setHeader("Content-Type", mediaType);
    if (coding !== undefined) response.setHeader("Content-Encoding", coding);
    // Express omits the body for HEAD, and sends 304 when the client's `ETag` matches.
    response.send(bytes);
  };
}

/** During development the site may not be built yet, so the page reloads. */
const MISSING = `<!doctype html>
<meta charset="utf-8" />
<meta http-equiv="refresh" content="1" />
<title>Docs</title>
<p>The docs have not been built. Run: <code>npx tenon docs</code></p>
`;

const respondMissing: RequestHandler = (request, response, next) => {
  if (request.path === "/" && request.method === "GET") response.status(404).type("html").send(MISSING);
  else next();
};
