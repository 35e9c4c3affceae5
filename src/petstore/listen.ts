import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/**
 * Starts to listen.
 * @returns the URL of the server: `http://127.0.0.1:3000`.
 * @throws when the server cannot listen, for example because the port is in use.
 */
export function listen(server: Server, { host, port }: ListenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      const { address, port: taken, family } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${taken}`);
    });
  });
}
