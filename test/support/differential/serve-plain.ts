// A process with a plain server of each contract; sends their ports by name, and ends when its parent lets go of it.
import { createServer } from "node:http";
import type { Node } from "tenon/core/document";
import { buildContract } from "tenon/core/model";
import { close, listen } from "../http.js";
import { CONTRACTS, REFUSED, readFixture } from "./contracts.js";
import { createPlainServer, type PlainContract } from "./plain-server.js";

const contracts: (readonly [name: string, contract: PlainContract])[] = [
  ...CONTRACTS.map(({ name, document, server: { basePath } }) => {
    const { operations } = buildContract(document as unknown as Node);
    return [name, { document, basePath, operations }] as const;
  }),
  ...Object.keys(REFUSED).map(
    (name) => [name, { document: readFixture(name), basePath: "", operations: [] }] as const,
  ),
];

const ports: Record<string, number> = {};
const servers = contracts.map(([, contract]) => createServer(createPlainServer(contract)));
for (const [index, server] of servers.entries()) ports[contracts[index]?.[0] ?? ""] = await listen(server);
process.send?.(ports);
process.once("disconnect", () => {
  for (const server of servers) void close(server);
});
