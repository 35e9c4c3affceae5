import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type DocsFile, INDEX } from "../assets/index.js";

export interface ServeOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
}

/**
 * Serves files for somebody to look at. A folder is its index.html, as on the usual hosts.
 * @throws when the port cannot be listened at.
 */
export async function serveSites(
  files: ReadonlyMap<string, DocsFile>,
  { port, host }: ServeOptions,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(({ url = "/", method }, response) => {
    const path = toPath(url);
    const file =
      path === undefined ? undefined : files.get(path.endsWith("/") || path === "" ? path + INDEX : path);
    if (method !== "GET" && method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else if (file !== undefined) {
      const headers = { "Content-Type": file.mediaType, "X-Content-Type-Options": "nosniff" };
      response
        .writeHead(200, { ...headers, "Cache-Control": "no-store" })
        .end(method === "GET" ? file.text : undefined);
    } else if (path !== undefined && files.has(`${path}/${INDEX}`)) {
      response.writeHead(308, { Location: `/${encodeURIComponent(path)}/` }).end();
    } else {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such page.\n");
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}/`,
    stop: () => stop(server),
  };
}

/** Below the root, decoded; undefined for what no browser sends. */
function toPath(url: string): string | undefined {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, "").slice(1));
  } catch {
    return undefined;
  }
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
