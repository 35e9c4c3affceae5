import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createApp } from "./app.js";

/** Responses that the service itself never sends, by path. */
const OTHERS: Readonly<Record<string, (response: ServerResponse, isFirst: boolean) => void>> = {
  "/v1/books/502": (response) =>
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"),
  "/v1/books/503": (response, isFirst) => {
    const headers = { "content-type": "application/json", "retry-after": "0" };
    if (isFirst) response.writeHead(503, headers).end('{"message":"busy"}');
    else response.writeHead(200, headers).end('{"id":503,"title":"Emma","year":1815,"language":"en"}');
  },
  "/v1/books/555": (response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end('{"id":9007199254740993,"title":"Emma","year":1815,"language":"en"}'),
};

/**
 * Creates the service behind a gateway: one that fails, one that is busy the first time, and one with a large ID.
 * @param asked Gets the URL of each request.
 */
export function createGateway(asked: string[] = []): Server {
  const app = createApp() as RequestListener;
  return createServer((request, response) => {
    const { url = "" } = request;
    const isFirst = !asked.includes(url);
    asked.push(url);
    const other = OTHERS[url];
    if (other) other(response, isFirst);
    else app(request, response);
  });
}
