import type { RequestListener } from "node:http";
import supertest from "supertest";

/** Statuses without a body, not even an empty one. */
const BODILESS = new Set([101, 204, 205, 304]);

/** Creates a `fetch` that sends every request to the app, whatever its host. */
export function createAppFetch(app: RequestListener): (request: Request) => Promise<Response> {
  const agent = supertest(app);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const method = request.method.toLowerCase() as "get";
    const sent = agent[method](pathname + search)
      .set(Object.fromEntries(request.headers))
      .redirects(0)
      .ok(() => true)
      // Keeps every body as bytes: the contract decides how to read them.
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          done(null, Buffer.concat(chunks));
        });
      })
      // Sends the bytes unchanged: superagent would serialize them as JSON for a JSON media type.
      .serialize((bytes) => bytes as string);
    const body = Buffer.from(await request.arrayBuffer());
    const received = await (body.byteLength > 0 ? sent.send(body) : sent);
    const hasBody = request.method !== "HEAD" && !BODILESS.has(received.status);
    return new Response(hasBody ? toBytes(received.body) : null, {
      status: received.status,
      headers: toPairs(received.headers),
    });
  };
}

function toBytes(body: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.isBuffer(body) ? body : []);
}

function toPairs(headers: Readonly<Record<string, string | readonly string[]>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}
