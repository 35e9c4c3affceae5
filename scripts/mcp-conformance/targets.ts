import { createServer, request } from "node:http";
import { loadConfig } from "../../src/petstore/config.js";
import { createLogger } from "../../src/petstore/log.js";
import { startService } from "../../src/petstore/service.js";
import { close, listen } from "../../test/support/http.js";
import { startSmall, type Handler } from "../../test/tenon/mcp/small.js";

/** A service with tools. */
export interface Target {
  /** Address of the tools. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PetStoreTarget extends Target {
  readonly key: string;
}

/** Starts the Pet Store Service in this process, with a key. */
export async function startPetStore(): Promise<PetStoreTarget> {
  const env = { NODE_ENV: "test", PORT: "0", DATABASE_URL: "sqlite::memory:", LOG_LEVEL: "silent" };
  const config = loadConfig({ ...env, RATE_LIMIT: "100000/60s", MAX_EVENT_LOOP_DELAY_MS: "60000" });
  const service = await startService({ config, logger: createLogger(config.logLevel) });
  const { key } = await service.keys.issue({ name: "conformance" });
  return { url: new URL("/mcp", service.url).href, key, stop: () => service.stop() };
}

/** Starts a proxy that adds the key to every request, because the conformance tests can send none. All other headers go through. */
export async function startProxy({ url, key }: PetStoreTarget): Promise<Target> {
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
  return { url: `http://127.0.0.1:${await listen(server)}/mcp`, stop: () => close(server) };
}

/** The tools that the conformance tests call, as far as an operation can be one of them. */
const SAMPLES: Readonly<Record<string, readonly [mediaType: string, reply: Handler]>> = {
  test_simple_text: ["text/plain", (_, reply) => reply[200]?.("This is a simple text response for testing.")],
  test_image_content: ["image/png", (_, reply) => reply[200]?.(Buffer.from("89504e470d0a1a0a", "hex"))],
  test_audio_content: ["audio/wav", (_, reply) => reply[200]?.(Buffer.from("RIFF\0\0\0\0WAVE"))],
  test_embedded_resource: ["application/pdf", (_, reply) => reply[200]?.(Buffer.from("%PDF-1.7"))],
  test_error_handling: ["application/json", (_, reply) => reply[400]?.({ message: "This tool fails" })],
  test_tool_with_progress: [
    "application/jsonl",
    (_, reply) => reply[200]?.([{ done: 0 }, { done: 50 }, { done: 100 }].values()),
  ],
};

/** Starts a service whose operations are the tools that the conformance tests call. */
export function startSamples(): Promise<Target> {
  const toSchema = (mediaType: string) =>
    mediaType === "application/jsonl"
      ? { itemSchema: { type: "object" } }
      : { schema: mediaType === "application/json" ? { type: "object" } : { type: "string" } };
  const paths = Object.entries(SAMPLES).map(([id, [mediaType]]) => {
    const content = { [mediaType]: toSchema(mediaType) };
    const failure = {
      description: "failed",
      content: { "application/json": { schema: { type: "object" } } },
    };
    const responses = { "200": { description: "ok", content }, "400": failure };
    return [`/${id}`, { get: { operationId: id, summary: id, "x-mcp": true, responses } }];
  });
  return startSmall({
    openapi: "3.2.0",
    paths: Object.fromEntries(paths) as object,
    handlers: Object.fromEntries(Object.entries(SAMPLES).map(([id, [, handler]]) => [id, handler])),
  });
}
