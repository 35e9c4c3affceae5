import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { loadConfig } from "../../src/petstore/config.js";
import { createLogger } from "../../src/petstore/log.js";
import { startService } from "../../src/petstore/service.js";

/** A service with tools. */
export interface Target {
  /** Address of the tools. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PetStoreTarget extends Target {
  readonly key: string;
}

/** Starts the Pet Store Service in this process, with a pet and a key. */
export async function startPetStore(): Promise<PetStoreTarget> {
  const env = { NODE_ENV: "test", PORT: "0", DATABASE_URL: "sqlite::memory:", LOG_LEVEL: "silent" };
  const config = loadConfig({ ...env, RATE_LIMIT: "100000/60s", MAX_EVENT_LOOP_DELAY_MS: "60000" });
  const service = await startService({ config, logger: createLogger(config.logLevel) });
  const { key } = await service.keys.issue({ name: "conformance" });
  return { url: new URL("/mcp", service.url).href, key, stop: () => service.stop() };
}

/** Listens on a free loopback port. */
export async function start(server: Server): Promise<Target> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Starts a proxy that adds the key to every request, because the conformance tests can send none. All other headers go through. */
export function startProxy({ url, key }: PetStoreTarget): Promise<Target> {
  const { port } = new URL(url);
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const onward = request(
      { host: "127.0.0.1", port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } },
      (received) => {
        response.writeHead(received.statusCode ?? 500, received.headers);
        received.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  return start(server);
}
