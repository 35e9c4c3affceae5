import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createLogger } from "../../src/petstore/log.js";
import { loadConfig } from "../../src/petstore/config.js";
import { startService, type Service } from "../../src/petstore/service.js";
import { expectErrorBody } from "./error-body.js";
import { send, type Answer, type Send } from "./http.js";

/** Environment variables of a service that refuses no request because the machine is slow. */
export const PATIENT = { MAX_EVENT_LOOP_DELAY_MS: "60000" };

/** A pet of an answer, as loose as JSON. */
export interface PetJson {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

export interface Call extends Send {
  /** The API key; null sends none. Default: one that is valid. */
  readonly key?: string | null;
  /** Sent as JSON with its content type. */
  readonly json?: unknown;
}

/** The service with a valid key, and calls to it whose errors are checked to be the contract's. */
export interface PetStore {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  /** A path below the host goes out byte for byte. */
  call(path: string, options?: Call): Promise<Answer>;
  create(pet: object): Promise<PetJson>;
  stop(): Promise<void>;
}

/** The service in this process. */
export interface OwnPetStore extends PetStore {
  /** What was measured, where METRICS_PORT is set. */
  measure(): ReturnType<Service["measure"]>;
}

export interface PetStoreOptions {
  /** Environment variables. Default: an in-memory database and no logs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: () => number;
}

/** Starts the service in this process, on a free port of the loopback interface. */
export async function startPetStore({ env, now }: PetStoreOptions = {}): Promise<OwnPetStore> {
  const config = loadConfig({
    NODE_ENV: "test",
    PORT: "0",
    DATABASE_URL: "sqlite::memory:",
    LOG_LEVEL: "silent",
    ...PATIENT,
    ...env,
  });
  const logger = createLogger(config.logLevel);
  const service = await startService({ config, logger, ...(now !== undefined && { now }) });
  const { key } = await service.keys.issue({ name: "test" });
  const measure = () => service.measure();
  return { ...callsTo(service.url, key), measure, stop: () => service.stop() };
}

/** Calls to a service that runs, in this process or another. */
export function callsTo(url: string, key: string): Omit<PetStore, "stop"> {
  const port = Number(new URL(url).port);
  const call = async (path: string, { key: sent = key, json, ...options }: Call = {}): Promise<Answer> => {
    const answer = await send(port, path, {
      ...(json !== undefined && { method: "POST", body: JSON.stringify(json) }),
      ...options,
      headers: {
        ...(sent !== null && { authorization: `Bearer ${sent}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...options.headers,
      },
    });
    return expectErrorBody(answer, options.method);
  };
  return {
    url,
    port,
    key,
    call,
    async create(pet) {
      const answer = await call("/v1/pets", { json: pet });
      if (answer.status !== 201) throw new Error(`Cannot create a pet: ${answer.text}`);
      return answer.json as PetJson;
    },
  };
}

/** Sends the head of a creation on a connection of its own; resolves when the service waits for the body. */
export async function startCreation(
  { port, key }: Pick<PetStore, "port" | "key">,
  headers: string,
): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/json\r\n${headers}\r\n\r\n`,
  );
  const [bytes] = (await once(socket, "data")) as [Buffer];
  if (!bytes.toString("latin1").startsWith("HTTP/1.1 100 "))
    throw new Error(`Not awaited: ${bytes.toString("latin1")}`);
  return socket;
}

/** Every animal, page by page, in the order of the pages. */
export async function listAll({ call }: Pick<PetStore, "call">): Promise<readonly PetJson[]> {
  const pets: PetJson[] = [];
  for (let path = "/v1/pets?limit=100"; path !== "";) {
    const page = await call(path);
    if (page.status !== 200) throw new Error(`Cannot list pets: ${page.text}`);
    pets.push(...(page.json as PetJson[]));
    path = /<(.+)>/.exec((page.headers["link"] as string | undefined) ?? "")?.[1] ?? "";
  }
  return pets;
}
