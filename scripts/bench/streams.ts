import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Window } from "../soak/verdict.js";
import { Child } from "./http/child.js";
import type { Usage } from "./http/server-process.js";

/** The server of `servers/streams.mjs` in a process of its own. */
export class StreamServer {
  readonly #child: Child;
  readonly #log: number;
  readonly #folder: string;

  private constructor(
    child: Child,
    files: { readonly log: number; readonly folder: string },
    readonly url: string,
  ) {
    this.#child = child;
    this.#log = files.log;
    this.#folder = files.folder;
  }

  /** @param options Of Node.js; without them it needs what `npm run build` makes. */
  static async start(options: readonly string[] = []): Promise<StreamServer> {
    const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
    const file = join(folder, "log");
    const log = openSync(file, "w");
    const inFolder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
    const argv = [...options, "--import", inFolder("http/answer-usage.mjs"), inFolder("servers/streams.mjs")];
    const child = new Child(argv, { core: "server", node: process.execPath, stdout: log });
    while (child.isRunning) {
      const url = /"url":"(http:[^"]+)"/.exec(readFileSync(file, "utf8"))?.[1];
      if (url !== undefined) return new StreamServer(child, { log, folder }, url);
      await setTimeout(5);
    }
    closeSync(log);
    rmSync(folder, { recursive: true });
    throw new Error("The server of streams does not start; run `npm run build`");
  }

  usage(): Promise<Usage> {
    return this.#child.ask("usage");
  }

  async stop(): Promise<void> {
    await this.#child.stop();
    closeSync(this.#log);
    rmSync(this.#folder, { recursive: true });
  }
}

/** Opens a stream, and calls a function with the number of events in each chunk of it. */
export async function openStream(url: string, onEvents: (count: number) => void): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on("error", reject);
  });
  let last = 0;
  response.on("data", (bytes: Buffer) => {
    let count = 0;
    for (const byte of bytes) {
      if (byte === 10 && last === 10) count += 1;
      last = byte;
    }
    onEvents(count);
  });
  // A connection that is closed ends the stream too.
  response.on("error", () => undefined);
  return response;
}

export interface HoldOptions {
  readonly streams: number;
  /** Milliseconds between two events of a stream. */
  readonly pause: number;
  readonly windows: number;
  /** Length of a window. */
  readonly seconds: number;
  readonly onWindow?: (window: Window, index: number) => void;
}

/** Keeps streams open, and observes the server meanwhile. A stream that ends has failed. */
export async function holdStreams(
  server: StreamServer,
  { streams, pause, windows, seconds, onWindow }: HoldOptions,
): Promise<readonly Window[]> {
  const before = await server.usage();
  let events = 0;
  let failed = 0;
  const responses = await Promise.all(
    Array.from({ length: streams }, () =>
      openStream(`${server.url}/sampled?count=1000000000&live=${pause}`, (count) => {
        events += count;
      }),
    ),
  );
  const onClose = (): void => void (failed += 1);
  for (const response of responses) response.once("close", onClose);
  const found: Window[] = [];
  for (let index = 0; index < windows; index += 1) {
    const [eventsBefore, failedBefore] = [events, failed];
    const samples: Usage[] = [];
    for (let sample = 0; sample < 10; sample += 1) {
      await setTimeout(100 * seconds);
      samples.push(await server.usage());
    }
    const window = {
      perSecond: (events - eventsBefore) / seconds,
      p50: 1,
      p99: 1,
      memory: Math.min(...samples.map(({ memory }) => memory)),
      heap: Math.min(...samples.map(({ heap }) => heap)),
      handles: Math.max(...samples.map(({ handles }) => handles)),
      refused: 0,
      failed: failed - failedBefore,
    };
    found.push(window);
    onWindow?.(window, index);
  }
  for (const response of responses) {
    response.off("close", onClose);
    response.destroy();
  }
  while ((await server.usage()).handles > before.handles) await setTimeout(5);
  return found;
}
