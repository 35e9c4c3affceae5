import { createServer, type ServerResponse } from "node:http";
import { isLocalRequest, NOT_LOCAL } from "tenon/runtime/internal";
import { startServer } from "../../output/serving.js";
import { type DocsFile, INDEX } from "../assets/docs-file.js";

export interface ServeOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
}

/** Files of docs sites by path: `v1/index.html`. */
type Files = ReadonlyMap<string, DocsFile>;

/** Path, in the folder of a site, of the event stream that reloading pages connect to. */
const RELOAD_EVENTS = /(?:^|\/)reload$/;

/**
 * Serves the files of docs sites. A folder is its index.html, as on the usual hosts.
 * @returns `replace` serves other files, and reloads the pages that were built to reload.
 * @throws when the port is not available.
 */
export async function serveSites(given: Files, options: ServeOptions) {
  let files = given;
  /** A stream ends when the page has to reload. */
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { url = "/", method, headersDistinct } = request;
    // RFC 9112, section 3.2. Node would use the first of several.
    if ((headersDistinct["host"]?.length ?? 0) > 1) {
      response.writeHead(400, { "Content-Type": "text/plain" }).end("There is more than one Host header.\n");
      return;
    }
    if (!isLocalRequest(request, options.host)) {
      response.writeHead(403, { "Content-Type": "text/plain" }).end(`${NOT_LOCAL}\n`);
      return;
    }
    const path = toPath(url);
    const file =
      path === undefined ? undefined : files.get(path.endsWith("/") || path === "" ? path + INDEX : path);
    if (method !== "GET" && method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else if (file !== undefined) {
      const headers = { "Content-Type": file.mediaType, "X-Content-Type-Options": "nosniff" };
      response
        .writeHead(200, { ...headers, "Cache-Control": "no-store" })
        .end(method === "GET" ? file.text : undefined, file.encoding ?? "utf8");
    } else if (path !== undefined && RELOAD_EVENTS.test(path) && files.has(`${path}.js`)) {
      streams.add(response);
      response.once("close", () => streams.delete(response));
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      // The reconnection delay, in milliseconds.
      response.write("retry: 200\n\n");
    } else if (path !== undefined && files.has(`${path}/${INDEX}`)) {
      response.writeHead(308, { Location: `/${encodeURIComponent(path)}/` }).end();
    } else {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such page.\n");
    }
  });
  const { origin, stop } = await startServer(server, options);
  return {
    url: `${origin}/`,
    stop,
    replace(next: Files) {
      files = next;
      for (const stream of streams) stream.end();
    },
  };
}

/** Decodes the path below the root; undefined when it is malformed. */
function toPath(url: string): string | undefined {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, "").slice(1));
  } catch {
    return undefined;
  }
}
