import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { format } from "prettier";
import { SCENARIO_NAMES, toRequest } from "../../scripts/bench/http/scenarios.js";
import { ServerProcess } from "../../scripts/bench/http/server-process.js";
import { SCRIPT, SERVERS, SETTINGS, type Slice } from "../../scripts/bench/without-sockets/measure.js";
import { formatPage } from "../../scripts/bench/without-sockets/page.js";
import { createDirectory } from "../support/directory.js";

const SERVER = `
import { createServer } from "node:http";
const server = createServer((request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: "http://127.0.0.1:" + server.address().port })));
`;

test("a server gets requests inside its process, and a status that is not expected ends it", async () => {
  const servers = createDirectory();
  writeFileSync(join(servers, "server.mjs"), SERVER);
  const server = await ServerProcess.start(
    "server",
    { servers, temporary: servers, database: "", key: "" },
    {
      node: process.execPath,
      store: "memory",
      logs: true,
      script: ["--import", SCRIPT, join(servers, "server.mjs")],
    },
  );
  try {
    const load = { requests: [toRequest("GET", "/one"), toRequest("POST", "/", "key", "{}")], seconds: 0.01 };
    const batches = await server.ask<number[]>({ ...load, status: 200 });
    expect(batches.length).toBeGreaterThan(0);
    expect(batches.every((micros) => micros > 0)).toBe(true);
    await expect(server.ask({ ...load, status: 201 })).rejects.toThrow("has ended");
  } finally {
    await server.stop();
  }
});

test("the page compares both servers within each round, as Prettier formats it", async () => {
  const slices = SETTINGS.flatMap((setting) =>
    SERVERS.flatMap((server) =>
      SCENARIO_NAMES.flatMap((scenario) =>
        (server === "tenon" ? [40, 40] : [44, 40]).map((cpu): Slice => ({
          node: "20.20.2",
          setting,
          server,
          scenario,
          cpu,
        })),
      ),
    ),
  );
  const page = formatPage(slices, { rounds: 2, seconds: 0.5 });
  expect(page).toBe(await format(page, { parser: "markdown", printWidth: 110 }));
  expect(page.match(/\| 1\.05 \(1\.00–1\.10\): 40, 42 /g)).toHaveLength(
    SETTINGS.length * SCENARIO_NAMES.length,
  );
});
