import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "../../fixtures/streams/generated/client.js";

const SERVICE = fileURLToPath(new URL("./service.ts", import.meta.url));

/** The largest growth of the service's memory that a large body may cause, in bytes. A body that is collected exceeds it. */
export const MOST_GROWTH = 64_000_000;

/** Ways of a large body to or from the service. */
export const WAYS = ["bytes in", "items in", "a file in a form", "bytes out"] as const;

export interface Measured {
  readonly seconds: number;
  /** Most memory of the service beyond the most that smaller bodies took, in bytes. */
  readonly growth: number;
  /** Bytes that arrived. */
  readonly arrived: number;
}

const CHUNK = Buffer.alloc(65_536, "0123456789abcdef");

function toStream(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(CHUNK.subarray(0, left));
      left -= Math.min(left, CHUNK.byteLength);
      if (left === 0) controller.close();
    },
  });
}

const FORM_START =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: application/octet-stream\r\n\r\n';

/** A form as a stream: `FormData` would need the whole file. */
function toForm(bytes: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(FORM_START));
    },
    flush: (controller) => {
      controller.enqueue(encoder.encode("\r\n--b--\r\n"));
    },
  });
  void toStream(bytes).pipeTo(writable);
  return readable;
}

const ITEM = { number: 1, tags: ["x".repeat(970)] };
const ITEM_BYTES = JSON.stringify(ITEM).length + 1;

/** Sends or receives a body, after a smaller one, and measures a service in a process of its own. */
export async function measureLargeBody(way: (typeof WAYS)[number], bytes: number): Promise<Measured> {
  const child = fork(SERVICE, {
    execArgv: ["--disable-warning=ExperimentalWarning", "--conditions=tenon-source", "--import", "tsx"],
    env: { ...process.env, FILE_BYTES: String(bytes) },
  });
  try {
    const [{ port }] = (await once(child, "message")) as [{ readonly port: number }];
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const findMost = async () => {
      child.send("memory");
      const [memory] = (await once(child, "message")) as [{ readonly most: number }];
      return memory.most;
    };
    await transfer(way, baseUrl, { name: "small", bytes: 20_000_000 });
    const before = await findMost();
    const start = performance.now();
    const arrived = await transfer(way, baseUrl, { name: "large", bytes });
    const seconds = (performance.now() - start) / 1_000;
    return { seconds, growth: (await findMost()) - before, arrived };
  } finally {
    child.disconnect();
  }
}

async function transfer(
  way: (typeof WAYS)[number],
  baseUrl: string,
  { name, bytes }: { readonly name: "small" | "large"; readonly bytes: number },
): Promise<number> {
  const client = createClient({ baseUrl });
  const params = { path: { name } };
  switch (way) {
    case "bytes in": {
      const { data } = await client.PUT("/files/{name}", { params, body: toStream(bytes) });
      return data?.sha256 === hash(bytes) ? data.size : 0;
    }
    case "a file in a form": {
      const response = await fetch(`${baseUrl}/attachments`, {
        method: "POST",
        headers: { "Content-Type": "multipart/form-data; boundary=b" },
        body: toForm(bytes),
        duplex: "half",
      });
      const { size, sha256 } = (await response.json()) as { size?: number; sha256?: string };
      return sha256 === hash(bytes) ? (size ?? 0) : 0;
    }
    case "items in": {
      const count = Math.round(bytes / ITEM_BYTES);
      const { data } = await client.POST("/import", {
        mediaType: "application/jsonl",
        body: (function* () {
          for (let sent = 0; sent < count; sent += 1) yield ITEM;
        })(),
      });
      return (data?.count ?? 0) * ITEM_BYTES;
    }
    case "bytes out": {
      let size = 0;
      const { body } = await fetch(`${baseUrl}/files/${name}`);
      for await (const chunk of body ?? []) size += (chunk as Uint8Array).byteLength;
      return size;
    }
  }
}

function hash(bytes: number): string {
  const whole = createHash("sha256");
  for (let left = bytes; left > 0; left -= CHUNK.byteLength) whole.update(CHUNK.subarray(0, left));
  return whole.digest("hex");
}
