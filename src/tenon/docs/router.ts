import process from "node:process";
import { Router, type Request, type Response } from "express";
import { serveReadOnly } from "../runtime/index.js";
import { DOCS_CONTENT_SECURITY_POLICY, RELOAD_POLICY, toPolicyHeader } from "./policy.js";
import { createRepresentations } from "./representation.js";
import { createReloadEvents, RELOAD_EVENTS } from "./reload.js";
import { listSunsets } from "./shown-contract.js";
import {
  CONTRACT_SCRIPT,
  createContractFiles,
  createContractScript,
  createDocsSite,
  type DocsFile,
  INDEX,
  type DocumentedContract,
  type SiteOptions,
  toSiteContract,
} from "./site.js";

export interface DocsRouterOptions extends Pick<
  SiteOptions,
  "callable" | "changelog" | "client" | "service" | "versions"
> {
  /** The clock that decides what is shown as gone, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

type ServeFile = (request: Request, response: Response) => Promise<void>;

/**
 * Serves the docs site of a contract below the path it is mounted on: `app.use("/docs", createDocsRouter(contract))`.
 * The page's policy keeps it from asking any other host for anything. Names that the site does not have go on to the
 * app; a method other than GET and HEAD is an `HttpError`. Under `tenon dev` the page loads itself again after a restart.
 */
export function createDocsRouter(contract: DocumentedContract, options: DocsRouterOptions = {}): Router {
  const { now = Date.now, ...site } = options;
  const reload = process.env["TENON_DEV"] === "1";
  const policy = reload ? DOCS_CONTENT_SECURITY_POLICY + RELOAD_POLICY : DOCS_CONTENT_SECURITY_POLICY;
  const router = Router({ strict: true, caseSensitive: true });
  const headers = { "Content-Security-Policy": policy };
  const start = now();
  for (const file of createDocsSite(contract, { ...site, reload, now: start })) {
    const own =
      file.policy === undefined ? headers : { "Content-Security-Policy": toPolicyHeader(file.policy) };
    const serve = createFileHandler(file, own);
    if (file.name === INDEX) {
      serveReadOnly(router, "/", async (request, response) => {
        const folder = toFolder(request);
        if (folder === undefined) await serve(request, response);
        else response.status(308).setHeader("Location", folder).end();
      });
    } else if (file.name === CONTRACT_SCRIPT) {
      const create = (time: number) =>
        createFileHandler(createContractScript(toSiteContract(contract, site), time), headers);
      const dated = { instants: listSunsets(contract), first: { time: start, serve }, create, now };
      serveReadOnly(router, `/${file.name}`, createDatedHandler(dated));
    } else {
      serveReadOnly(router, `/${file.name}`, serve);
    }
  }
  // What pages in a folder on disk link to by its name.
  serveReadOnly(router, `/${INDEX}`, (_, response) => {
    response.status(308).setHeader("Location", "./").end();
  });
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

interface Dated {
  /** From each of them on the file is another one. */
  readonly instants: readonly number[];
  /** What serves the file as it is at the start. */
  readonly first: { readonly time: number; readonly serve: ServeFile };
  readonly create: (time: number) => ServeFile;
  readonly now: () => number;
}

/** Serves a file that depends on the day: a service runs for longer than one. */
function createDatedHandler({ instants, first, create, now }: Dated): ServeFile {
  const countPassed = (time: number) => instants.filter((instant) => instant <= time).length;
  let made = { passed: countPassed(first.time), serve: first.serve };
  return (request, response) => {
    const time = now();
    const passed = countPassed(time);
    if (made.passed !== passed) made = { passed, serve: create(time) };
    return made.serve(request, response);
  };
}

function createFileHandler(
  { mediaType, text }: DocsFile,
  headers: Readonly<Record<string, string>> = {},
): ServeFile {
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
