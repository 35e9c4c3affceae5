import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { createConfig } from "@redocly/openapi-core";
import { toModel } from "../../../src/cli/project/index.js";
import { loadContract } from "../../../src/cli/load/index.js";
import { verify, type VerifyOptions, type VerifyResult } from "../../../src/cli/verify/index.js";
import type { Contract } from "../../../src/tenon/core/model/index.js";
import { close, listen } from "../../support/http.js";
import { GIVE_UP_MS } from "../../support/until.js";
import type { Fault } from "./faults.js";
import { createThings, KEY, PIN } from "./server.js";

/** Loads the contract of this folder's servers. */
export function loadThings(): Promise<Contract> {
  return loadTested(new URL("./things.yaml", import.meta.url));
}

export async function loadTested(url: URL): Promise<Contract> {
  const loaded = await loadContract(fileURLToPath(url), await createConfig({}), { lint: false });
  return (await toModel(loaded)).contract;
}

/** Limits that a busy machine does not reach either. */
export const PATIENT = { requests: 100_000, time: Infinity, rate: Infinity };

/** Verifies a server with a fault, or the correct one. */
export function verifyThings(
  contract: Contract,
  fault: Fault | undefined,
  { sparse, ...options }: Partial<VerifyOptions> & { readonly sparse?: boolean } = {},
): Promise<VerifyResult> {
  const keys = new Map([
    ["key", KEY],
    ["pin", PIN],
  ]);
  return verifyServer(contract, createThings(fault, sparse), {
    path: "/api",
    credentials: { keys, headers: [] },
    ...options,
  });
}

/** Verifies a server, and closes it. @param options.path Path of its base address. Default: none. */
export async function verifyServer(
  contract: Contract,
  server: Server,
  { path = "", ...options }: Partial<VerifyOptions> & { readonly path?: string } = {},
): Promise<VerifyResult> {
  const port = await listen(server);
  try {
    return await verify(contract, {
      base: new URL(`http://127.0.0.1:${port}${path}`),
      seed: 1,
      runs: 2,
      limits: PATIENT,
      timeout: GIVE_UP_MS,
      credentials: { keys: new Map(), headers: [] },
      ...options,
    });
  } finally {
    await close(server);
  }
}
