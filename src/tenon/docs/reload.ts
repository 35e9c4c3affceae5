import process from "node:process";
import type { Request, Response } from "express";

/** The script on the page, and what it listens to. */
export const RELOAD_SCRIPT = "reload.js";
export const RELOAD_EVENTS = "reload";

/** The connection breaks when the service is restarted; the one after it is to the new service. */
export const RELOAD_SCRIPT_TEXT = `const events = new EventSource("${RELOAD_EVENTS}");
let lost = false;
events.onerror = () => {
  lost = true;
};
events.onopen = () => {
  if (lost) location.reload();
};
`;

/** What `tenon dev` tells a process that is to stop. */
export const STOPPING = "tenon: stopping";

/**
 * Answers with a stream of no events, which ends when `tenon dev` lets this process go: a service that waits for requests
 * under way would wait for it too.
 */
export function createReloadEvents(): (request: Request, response: Response) => void {
  const open = new Set<Response>();
  process.on("message", (message) => {
    if (message === STOPPING) for (const response of open) response.end();
  });
  return (_, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    // How soon to connect again, in milliseconds.
    response.write("retry: 200\n\n");
  };
}
