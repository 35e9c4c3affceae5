// One PostgreSQL server for all tests, unless TEST_DATABASE_URL names one. It starts when the first test file asks for its URL
// (database.ts), so that files that use no database do not wait for it. Plain JavaScript, because Jest loads it without its
// transformers when it is an ES module.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export default async function setUp() {
  // Workers import the sources of our packages instead of their dist/.
  process.execArgv.push("--conditions=tenon-source");
  if (process.env["TEST_DATABASE_URL"]) return;
  let starting;
  // Test files run in processes of their own: they ask over HTTP.
  const broker = createServer(async (_, response) => {
    const { url, message } = await (starting ??= startPostgres());
    response.writeHead(url === undefined ? 503 : 200, { Connection: "close" }).end(url ?? message);
  });
  broker.listen(0, "127.0.0.1");
  await once(broker, "listening");
  process.env["TEST_DATABASE_BROKER"] = `http://127.0.0.1:${broker.address().port}`;
  globalThis.endPostgres = async () => {
    broker.close();
    await (await starting)?.end?.();
  };
}

/** Resolves to the server's URL and a function that ends it, or to a message that says why there is none. */
async function startPostgres() {
  const child = spawn(
    process.execPath,
    ["--conditions=tenon-source", "--import", "tsx", fileURLToPath(new URL("serve.ts", import.meta.url))],
    { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, NODE_OPTIONS: "" } },
  );
  const ended = once(child, "close");
  let reason = "";
  child.stderr.on("data", (chunk) => (reason += chunk));
  const line = await Promise.race([once(createInterface(child.stdout), "line"), ended.then(() => [])]);
  if (typeof line[0] !== "string") {
    const message = `PostgreSQL could not be started: ${reason.trim()}`;
    if (!process.env["CI"])
      console.error(
        `\n${message}\nThe tests on PostgreSQL are SKIPPED. Set TEST_DATABASE_URL to a server where databases can be created.\n`,
      );
    return { message };
  }
  const end = async () => {
    child.stdin.end();
    await ended;
  };
  return { url: line[0], end };
}
