// Packs both packages, creates a service with `tenon init` in a temporary folder, and runs the service's npm scripts. CI runs this on
// Windows and macOS too, so it uses no shell: npm runs as a script of Node.js.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const { npm_execpath: npmPath } = process.env;
if (npmPath === undefined) throw new Error('Run "npm run try-template".');

const root = mkdtempSync(join(tmpdir(), "tenon-template-"));
const service = join(root, "notes");
mkdirSync(service);

/** Runs npm, and throws if it fails. */
function npm(cwd, ...argv) {
  console.log(`\n$ npm ${argv.join(" ")}`);
  const { status } = spawnSync(process.execPath, [npmPath, ...argv], { cwd, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ${argv.join(" ")}: exit code ${status}`);
}

npm(".", "pack", "--silent", "-w", "tenon", "-w", "@tenon/cli", "--pack-destination", root);
const [tarball = ""] = readdirSync(root).filter((name) => name.startsWith("tenon-cli-"));
npm(service, "exec", "--yes", `--package=${join(root, tarball)}`, "--", "tenon", "init");
npm(service, "install", "--no-audit", "--no-fund");
const { scripts } = JSON.parse(readFileSync(join(service, "package.json"), "utf8"));
// Node.js 20 does not expand `*` in the names of tests, and neither does the shell of Windows.
const hasNoGlob = process.platform === "win32" && process.version.startsWith("v20.");
const tried = Object.keys(scripts).filter((name) => !/^(?:dev|start|pretest)$/.test(name));
for (const name of tried.filter((name) => name !== "test" || !hasNoGlob)) npm(service, "run", name);

console.log("\n$ npm start");
const started = spawn(process.execPath, [npmPath, "start"], {
  cwd: service,
  env: { ...process.env, API_KEY: "secret", NODE_ENV: "production", PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
let printed = "";
for await (const chunk of started.stdout.setEncoding("utf8")) {
  process.stdout.write(chunk);
  printed += chunk;
  if (/Docs: \S+\/docs/.test(printed)) break;
}
const [, url] = /Docs: (\S+)\/docs/.exec(printed) ?? [];
if (url === undefined) throw new Error("The service did not start");
const { status } = await globalThis.fetch(`${url}/v1/notes`);
if (status !== 401) throw new Error(`Without a key: ${status} instead of 401`);
npm(service, "exec", "--", "tenon", "verify", url, "--auth", "bearerAuth=secret");
const ended = once(started, "exit");
if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(started.pid), "/t", "/f"]);
else started.kill("SIGTERM");
await ended;
// Windows releases the files of a process some time after its end.
rmSync(root, { recursive: true, maxRetries: 10 });
console.log("\nEvery command passed.");
