import { hostname, userInfo } from "node:os";
import process from "node:process";

/** Who runs this process, for the history of keys: `ann@host`, or `uid 1001@host` where the user has no name, as in containers. */
export function toActor(): string {
  // Control characters would forge lines of the history; a name of the system's has none.
  return `${toUser()}@${hostname()}`.replace(/[^\x21-\x7e ]/g, "?");
}

function toUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
