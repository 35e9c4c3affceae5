import type { IRouter, RequestHandler } from "express";
import { HttpError } from "../errors/http-error.js";

/**
 * Serves GET and HEAD on a path outside the contract. Other methods throw an {@link HttpError} with status 405 and `Allow`.
 * @example
 * serveReadOnly(app, "/health", (_request, response) => {
 *   response.json({ status: "ok" });
 * });
 */
export function serveReadOnly(router: IRouter, path: string, handler: RequestHandler): void {
  router.get(path, handler);
  router.all(path, () => {
    throw new HttpError("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
  });
}
