import { request, type Agent, type IncomingHttpHeaders, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";

/** Listens on a free loopback port and resolves to it. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; undefined when it is empty or something else. */
  readonly json: unknown;
}

export interface Send {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  /** Keeps the connection. Default: a connection for this request. */
  readonly agent?: Agent;
}

/** One request whose path goes out byte for byte, unlike with fetch. */
export function send(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, agent }: Send = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, path, method, headers, agent: agent ?? false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          resolve(toAnswer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks)));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function toAnswer(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString("utf8");
  const isJson = text !== "" && /[/+]json\b/.test(headers["content-type"] ?? "application/json");
  return { status, headers, bytes, text, json: isJson ? (JSON.parse(text) as unknown) : undefined };
}

/** Sends bytes as they are and resolves to everything that came back until the server closed the connection. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve(Buffer.concat(chunks).toString("utf8"));
    });
    socket.write(bytes);
  });
}
