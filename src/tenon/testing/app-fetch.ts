import type { RequestListener } from "node:http";
import supertest from "supertest";

/** Statuses whose answers have no body, not even an empty one. */
const BODILESS = new Set([101, 204, 205, 304]);

/** @returns a `fetch` whose requests go to an app, wherever they say that they go. */
export function createAppFetch(app: RequestListener): (request: Request) => Promise<Response> {
  const agent = supertest(app);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const method = request.method.toLowerCase() as "get";
    const sent = agent[method](pathname + search)
      .set(Object.fromEntries(request.headers))
      .redirects(0)
      .ok(() => true)
      // Every body as the bytes that came: what they are is for the contract to say.
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          done(null, Buffer.concat(chunks));
        });
      })
      // And sent as it is: superagent would write bytes as JSON where they are called JSON.
      .serialize((bytes) => bytes as string);
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await (body.byteLength > 0 ? sent.send(body) : sent);
    const hasBody = request.method !== "HEAD" && !BODILESS.has(answer.status);
    return new Response(hasBody ? toBytes(answer.body) : null, {
      status: answer.status,
      headers: toPairs(answer.headers),
    });
  };
}

function toBytes(received: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.isBuffer(received) ? received : []);
}

function toPairs(headers: Readonly<Record<string, string | readonly string[]>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}
