import { fork, type ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { close, listen } from "../http.js";
import { CONTRACTS } from "./contracts.js";
import { Exchange } from "./exchange.js";
import { createOurServer } from "./our-server.js";
import type { TestAnswer, TestRequest } from "./request.js";

/** Every contract behind two servers. */
export interface Pairs {
  /** Answers of the runtime and of plain express-openapi-validator to one request. */
  ask(request: TestRequest): Promise<{ readonly ours: TestAnswer; readonly theirs: TestAnswer }>;
  /** What express-openapi-validator alone answers; for contracts that it refuses to load. */
  askPlain(contract: string, target: string): Promise<TestAnswer>;
  stop(): Promise<void>;
}

/** Starts all servers: ours in this process, the others in one of their own. */
export async function startPairs(): Promise<Pairs> {
  const child = startPlainServers();
  const theirs = await readPorts(child);
  const servers = CONTRACTS.map((contract) => createServer(createOurServer(contract)));
  const ours = new Map<string, Exchange>();
  for (const [index, server] of servers.entries()) {
    ours.set(CONTRACTS[index]?.name ?? "", new Exchange(await listen(server)));
  }
  return {
    async ask(request) {
      const exchanges = [find(ours, request.contract), find(theirs, request.contract)] as const;
      const answers = await Promise.all([exchanges[0].send(request), exchanges[1].send(request)]);
      return { ours: answers[0], theirs: answers[1] };
    },
    askPlain: (contract, target) => find(theirs, contract).send({ method: "GET", target, headers: {} }),
    async stop() {
      for (const exchange of [...ours.values(), ...theirs.values()]) exchange.close();
      await Promise.all(servers.map(close));
      child.disconnect();
    },
  };
}

function find(exchanges: ReadonlyMap<string, Exchange>, contract: string): Exchange {
  const exchange = exchanges.get(contract);
  if (exchange === undefined) throw new Error(`There is no server of ${contract}`);
  return exchange;
}

/** Jest on Node 20 cannot load express-openapi-validator's index, which requires an ES module: a process of its own can. */
function startPlainServers(): ChildProcess {
  return fork(fileURLToPath(new URL("serve-plain.ts", import.meta.url)), {
    cwd: fileURLToPath(new URL("../../../", import.meta.url)),
    execArgv: ["--conditions=tenon-source", "--import", "tsx"],
    env: { PATH: process.env["PATH"] },
    // It prints what it finds wrong with the contracts that it refuses.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

function readPorts(child: ChildProcess): Promise<ReadonlyMap<string, Exchange>> {
  return new Promise((resolve, reject) => {
    child.once("message", (ports: Record<string, number>) => {
      resolve(new Map(Object.entries(ports).map(([name, port]) => [name, new Exchange(port)])));
    });
    child.once("exit", (code) => {
      reject(new Error(`The servers of express-openapi-validator ended with ${code ?? "a signal"}`));
    });
  });
}
