import { spawnSync } from "node:child_process";

/** Codes of npm when it gets no response; any response, an error included, comes from a registry that can be reached. */
const UNREACHABLE = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTCACHED",
  "ENOTFOUND",
  "ERR_SOCKET_TIMEOUT",
  "ETIMEDOUT",
]);

/** @returns the code of the failure when the npm registry cannot be reached. */
export function findRegistryFailure(): string | undefined {
  const patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
  const argv = ["view", "typescript", "version", "--json", "--prefer-online", ...patience];
  const { stdout } = spawnSync("npm", argv, { encoding: "utf8" });
  const report = JSON.parse(stdout || "null") as
    { readonly error?: { readonly code?: string } } | string | null;
  const code = typeof report === "object" ? report?.error?.code : undefined;
  return code !== undefined && UNREACHABLE.has(code) ? code : undefined;
}
