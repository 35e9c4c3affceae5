import { Agent, request as open } from "node:http";
import type { TestAnswer, TestRequest } from "./request.js";

type Sent = Pick<TestRequest, "method" | "target" | "headers" | "body">;

/** Sends requests to one server, over connections that are kept. */
export class Exchange {
  readonly #agent = new Agent({ keepAlive: true });

  constructor(readonly port: number) {}

  send({ method, target, headers, body }: Sent): Promise<TestAnswer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const options = {
        host: "127.0.0.1",
        port: this.port,
        path: target,
        method,
        headers: { ...headers, ...length },
        agent: this.#agent,
      };
      const outgoing = open(options, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => (text += chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode: status = 0 } = incoming;
          resolve(status === 200 && text !== "" ? { status, seen: JSON.parse(text) as unknown } : { status });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
