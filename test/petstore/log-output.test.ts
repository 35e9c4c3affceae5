// @thorough: starts services and fills their logs.
import { execFileSync } from "node:child_process";
import { closeSync, constants, createReadStream, openSync, truncateSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "@jest/globals";
import { toCompiled } from "../support/compiled.js";
import { createDirectory } from "../support/directory.js";
import { readExposition } from "../support/exposition.js";
import { close, listen, send } from "../support/http.js";
import { endProcesses, startProcess, type PetStoreProcess } from "../support/petstore-process.js";
import { until } from "../support/until.js";

const DROPPED = "petstore_log_lines_dropped_total";

afterEach(endProcesses);

/** Opens a named pipe for reading and writing, so that opening it waits for no one. */
function openPipe(): { path: string; fd: number } {
  const path = join(createDirectory(), "log");
  execFileSync("mkfifo", [path]);
  return { path, fd: openSync(path, constants.O_RDWR) };
}

interface Started extends PetStoreProcess {
  readonly port: number;
  readonly countDropped: () => Promise<number>;
}

/** Starts the service with a log that cannot be read, so that its address is in its introduction. */
async function start(stdout: number, processes: number, shell?: string): Promise<Started> {
  const server = createServer();
  const metricsPort = await listen(server);
  await close(server);
  const node = [process.execPath, toCompiled("src/petstore/main.ts")];
  const service = startProcess({
    stdout,
    env: {
      METRICS_PORT: String(metricsPort),
      WEB_CONCURRENCY: String(processes),
      DATABASE_URL: `sqlite:${join(createDirectory(), "pets.db")}`,
    },
    ...(shell !== undefined && { command: ["/bin/sh", "-c", `${shell}; exec "$0" "$@"`, ...node] }),
  });
  await service.says(/^Docs: /);
  const docs = service.err.find((line) => line.startsWith("Docs: ")) ?? "";
  return {
    ...service,
    port: Number(new URL(docs.slice("Docs: ".length)).port),
    countDropped: async () =>
      readExposition((await send(metricsPort, "/metrics")).text, "text").get(DROPPED) ?? 0,
  };
}

const LONG_PATH = `/${"a".repeat(2_000)}`;

/** Sends requests until log lines are dropped, and checks that the service is healthy. */
async function fill({ port, countDropped }: Started): Promise<void> {
  await until(async () => {
    await Promise.all(Array.from({ length: 100 }, () => send(port, LONG_PATH)));
    return (await countDropped()) > 0;
  });
  for (let request = 0; request < 10; request++)
    expect(await send(port, "/healthz")).toMatchObject({ status: 200 });
}

describe.each([1, 2])(
  "a log that cannot be written by %d processes does not stop the service:",
  (processes) => {
    test("a full device", async () => {
      const full = openSync("/dev/full", "w");
      const service = await start(full, processes);
      closeSync(full);
      await fill(service);
      service.kill("SIGTERM");
      expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
    });

    test("a file that reaches its limit", async () => {
      // In blocks of 512 bytes; larger than any file that loading the service writes.
      const blocks = 131_072;
      const path = join(createDirectory(), "log");
      writeFileSync(path, "");
      truncateSync(path, blocks * 512 - 3_000);
      const file = openSync(path, "a");
      const service = await start(file, processes, `ulimit -f ${blocks}`);
      closeSync(file);
      await fill(service);
      service.kill("SIGTERM");
      expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
    });

    test("a pipe whose reader stops; lines stay whole", async () => {
      const { path, fd } = openPipe();
      const service = await start(fd, processes);
      await fill(service);
      service.kill("SIGTERM");
      expect(await service.ended()).toStrictEqual({ code: 0, signal: null });

      const reader = createReadStream(path);
      await once(reader, "open");
      closeSync(fd);
      const lines = (await text(reader)).trimEnd().split("\n");
      expect(lines.length).toBeGreaterThan(10);
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 30 });
    });

    test("a pipe whose reader continues gets the last line", async () => {
      const { path, fd } = openPipe();
      const service = await start(fd, processes);
      await fill(service);
      const reader = createReadStream(path);
      await once(reader, "open");
      closeSync(fd);
      let log = "";
      reader.setEncoding("utf8").on("data", (part) => (log += String(part)));
      const end = once(reader, "end");
      await until(async () => {
        await send(service.port, "/marker");
        return log.includes('"/marker"');
      });
      service.kill("SIGTERM");
      expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
      await end;
      const lines = log.trimEnd().split("\n");
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 30 });
      expect(lines.at(-1)).toContain('"stopped"');
    });

    test("a pipe whose reader is gone", async () => {
      const { fd } = openPipe();
      const service = await start(fd, processes);
      closeSync(fd);
      await fill(service);
      service.kill("SIGTERM");
      expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
    });
  },
);
