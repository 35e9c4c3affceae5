import type { IRouter, RequestHandler } from "express";
import { HttpError } from "../errors/http-error.js";

/** Answers GET and HEAD on a path outside the contract; any other method is 405 with `Allow`. */
export function serveReadOnly(router: IRouter, path: string, handler: RequestHandler): void {
  router.get(path, handler);
  router.all(path, () => {
    throw new HttpError("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
  });
}
