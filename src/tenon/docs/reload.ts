import { existsSync, watch } from "node:fs";
import process from "node:process";
import type { Request, Response } from "express";
import { SITE_FILE } from "./site.js";

/** Path of the event stream that pages built by `tenon dev` connect to. */
export const RELOAD_EVENTS = "reload";

/** Process message with which `tenon dev` stops its service. */
const STOPPING = "tenon: stopping";

/**
 * Creates a handler that sends a stream without events. The stream ends when the site is rebuilt, and when `tenon dev` stops this
 * process: otherwise a graceful shutdown would wait for the stream.
 * @param folder Folder of the site.
 */
export function createReloadEvents(folder: string): (request: Request, response: Response) => void {
  const open = new Set<Response>();
  const end = () => {
    for (const response of open) response.end();
  };
  process.on("message", (message) => {
    if (message === STOPPING) end();
  });
  if (existsSync(folder)) {
    watch(folder, { persistent: false }, (_, name) => {
      if (name === SITE_FILE) end();
    });
  }
  return (_, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    // The reconnection delay, in milliseconds.
    response.write("retry: 200\n\n");
  };
}
