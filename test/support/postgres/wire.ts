import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";

/** A wire to a server, as a network is between it and its clients: it can be blocked, so that nothing arrives, or cut. */
export class Wire {
  readonly #server: Server;
  readonly #url: URL;
  readonly #ends = new Set<Socket>();
  #isBlocked = false;

  private constructor(server: Server, url: URL) {
    this.#server = server;
    this.#url = url;
  }

  static async to(url: string): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server, new URL(url));
    server.on("connection", (near) => {
      wire.#join(near);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return wire;
  }

  /** Address of the server through this wire. */
  get url(): string {
    const url = new URL(this.#url);
    url.hostname = "127.0.0.1";
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  get connections(): number {
    return this.#ends.size / 2;
  }

  /** Lets nothing through any more, without an error. */
  block(): void {
    this.#isBlocked = true;
    for (const end of this.#ends) end.pause();
  }

  /** Ends all connections. */
  cut(): void {
    for (const end of this.#ends) end.destroy();
  }

  /** Lets everything through again. */
  mend(): void {
    this.#isBlocked = false;
    for (const end of this.#ends) end.resume();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#url.port || 5432), this.#url.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => undefined);
      from.on("close", () => {
        this.#ends.delete(from);
        to.destroy();
      });
      if (this.#isBlocked) from.pause();
    }
  }
}
