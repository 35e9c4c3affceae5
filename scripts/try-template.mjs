// Packs both packages, creates a service with `tenon init` in a temporary folder, and runs the service's npm scripts. CI runs this on
// Windows and macOS too, so it uses no shell: npm runs as a script of Node.js.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

npm(service, "exec", "--", "tenon", "rename", "getNote", "showNote");
npm(service, "run", "types");

/** Starts a script of npm. `hear` waits until it has printed a text, after the one that was heard last. */
function start(name, env) {
  console.log(`\n$ npm run ${name}`);
  const child = spawn(process.execPath, [npmPath, "run", name], {
    cwd: service,
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    process.stdout.write(chunk);
    printed += chunk;
  });
  return {
    async hear(wanted) {
      for (;;) {
        const found = wanted.exec(printed);
        if (found !== null) {
          printed = printed.slice(found.index + found[0].length);
          return found;
        }
        if (child.exitCode !== null) throw new Error(`npm run ${name} ended before it printed ${wanted}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
    },
    async stop() {
      if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
      else child.kill("SIGTERM");
      await ended;
    },
  };
}

const dev = start("dev");
await dev.hear(/no type errors/);
const handlers = join(service, "src/handlers/notes.ts");
writeFileSync(handlers, `${readFileSync(handlers, "utf8")}// Saved.\n`);
await dev.hear(/restarted in \d+ ms/);
await dev.stop();

const started = start("start", { API_KEY: "secret", NODE_ENV: "production" });
const [, url = ""] = await started.hear(/Docs: (\S+)\/docs/);
const { status } = await globalThis.fetch(`${url}/v1/notes`);
if (status !== 401) throw new Error(`Without a key: ${status} instead of 401`);
npm(service, "exec", "--", "tenon", "verify", url, "--auth", "bearerAuth=secret");
await started.stop();
// Windows releases the files of a process some time after its end.
rmSync(root, { recursive: true, maxRetries: 10 });
console.log("\nEvery command passed.");
