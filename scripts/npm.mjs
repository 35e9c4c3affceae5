import { spawnSync } from "node:child_process";
import process from "node:process";

/** Runs npm, the same that runs this script where one does. Options are those of `spawnSync`. */
export function npm(parameters, options) {
  const path = process.env["npm_execpath"];
  return path === undefined
    ? spawnSync("npm", parameters, { ...options, shell: process.platform === "win32" })
    : spawnSync(process.execPath, [path, ...parameters], options);
}
