/** A process that serves the streams fixture and says the most memory that it has used. */
import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import express from "express";
import { createHttpServer } from "tenon/runtime";
import { createApi } from "../../fixtures/streams/generated/server.js";

const CHUNK = Buffer.alloc(65_536, "0123456789abcdef");

function* repeat(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= CHUNK.byteLength) yield CHUNK.subarray(0, left);
}

async function store(stream: Readable) {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.byteLength;
  }
  return { size, sha256: hash.digest("hex") };
}

const errors = { errorBody: ({ code, message }: { code: string; message: string }) => ({ code, message }) };

const app = express();
app.use(
  createApi({
    ...errors,
    uploadLimit: Infinity,
    handlers: {
      chat: (_, reply) => reply[200]([]),
      listChanges: (_, reply) => reply[200]([]),
      exportChanges: (_, reply) => reply[200].jsonl([]),
      importChanges: async ({ body }, reply) => {
        let [count, sum] = [0, 0];
        for await (const { number } of body.value) {
          count += 1;
          sum += number;
        }
        return reply[200]({ count, sum });
      },
      putFile: async ({ body }, reply) => reply[200](await store(body)),
      addAttachment: async ({ body }, reply) => reply[200](await store(body.file.stream())),
      getFile: ({ path }, reply) => {
        const bytes = Number(path.name === "large" ? process.env["FILE_BYTES"] : 20_000_000);
        return reply[200](Readable.from(repeat(bytes), { objectMode: false }));
      },
    },
  }),
);

const server = createHttpServer(app, errors);
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => {
  process.send?.({ most: process.resourceUsage().maxRSS * 1_024 });
});
process.on("disconnect", () => {
  server.close();
  server.closeAllConnections();
});
