// Installs what is missing and builds, before `npm start`. npm passes a signal on to this process only, and neither shells nor further
// npm processes pass it on: without this script, the build would go on after `npm start` was ended.
import { spawn } from "node:child_process";
import process from "node:process";

const isWindows = process.platform === "win32";
const child = spawn(
  "node scripts/setup.mjs && echo Building the packages, the docs and the service >&2 && npm run --silent build",
  {
    shell: true,
    stdio: "inherit",
    // The child leads a group of all processes that it starts.
    detached: !isWindows,
  },
);

/** @type {NodeJS.Signals | undefined} */
let received;
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]))
  process.on(signal, () => {
    received ??= signal;
    try {
      if (child.pid !== undefined) process.kill(isWindows ? child.pid : -child.pid, signal);
    } catch {
      // All of them have just ended.
    }
  });

child.on("close", (code) => {
  process.exitCode = code ?? 1;
  if (received === undefined) return;
  // npm starts the service unless this process ends by the signal.
  process.removeAllListeners(received);
  process.kill(process.pid, received);
});
