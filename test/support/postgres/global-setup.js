// One PostgreSQL server for all tests, unless TEST_DATABASE_URL names one. Plain JavaScript, because Jest loads it without
// its transformers when it is an ES module.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export default async function setUp() {
  if (process.env["TEST_DATABASE_URL"]) return;
  const child = spawn(
    process.execPath,
    ["--conditions=tenon-source", "--import", "tsx", fileURLToPath(new URL("serve.ts", import.meta.url))],
    { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, NODE_OPTIONS: "" } },
  );
  const ended = once(child, "close");
  let reason = "";
  child.stderr.on("data", (chunk) => (reason += chunk));
  const line = await Promise.race([once(createInterface(child.stdout), "line"), ended.then(() => [])]);
  if (typeof line[0] === "string") {
    process.env["TEST_DATABASE_URL"] = line[0];
    globalThis.endPostgres = async () => {
      child.stdin.end();
      await ended;
    };
    return;
  }
  const message = `No PostgreSQL server could be brought up: ${reason.trim()}`;
  if (process.env["CI"]) throw new Error(message);
  console.error(
    `\n${message}\nThe tests on PostgreSQL are SKIPPED. Set TEST_DATABASE_URL to one that may create databases.\n`,
  );
}
