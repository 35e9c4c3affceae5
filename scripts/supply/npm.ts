import { spawnSync, type SpawnSyncOptionsWithStringEncoding } from "node:child_process";
import process from "node:process";

/**
 * Runs npm, the same that runs this script where one does.
 * @returns What it wrote to standard output, and its exit code.
 */
export function runNpm(
  cwd: string,
  parameters: readonly string[],
): { stdout: string; status: number | null } {
  const npm = process.env["npm_execpath"];
  const options: SpawnSyncOptionsWithStringEncoding = {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
  };
  return npm === undefined
    ? spawnSync("npm", parameters, { ...options, shell: process.platform === "win32" })
    : spawnSync(process.execPath, [npm, ...parameters], options);
}
