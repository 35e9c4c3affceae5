import { fileURLToPath } from "node:url";
import { createConfig } from "@redocly/openapi-core";
import { toModel } from "../../../src/cli/project/load-model.js";
import { loadContract } from "../../../src/cli/load/load.js";
import { buildTarget } from "../../../src/cli/verify/build-target.js";
import { verify, type VerifyOptions } from "../../../src/cli/verify/run.js";
import type { VerifyResult } from "../../../src/cli/verify/result.js";
import type { Target } from "../../../src/cli/verify/target.js";
import { close, listen } from "../../support/http.js";
import { GIVE_UP_MS } from "../../support/until.js";
import type { Fault } from "./faults.js";
import { createThings, KEY, PIN } from "./server.js";

/** The contract that the servers of this folder keep. */
export function loadThings(): Promise<Target> {
  return loadTarget(new URL("./things.yaml", import.meta.url));
}

export async function loadTarget(url: URL): Promise<Target> {
  const loaded = await loadContract(fileURLToPath(url), await createConfig({}), { lint: false });
  return buildTarget(loaded.document, toModel(loaded).contract);
}

/** Limits that no machine is too busy for. */
const PATIENT = { requests: 100_000, time: Infinity, rate: Infinity };

/** Verifies a server with a fault, or the correct one. */
export async function verifyThings(
  target: Target,
  fault: Fault | undefined,
  { sparse, ...options }: Partial<VerifyOptions> & { readonly sparse?: boolean } = {},
): Promise<VerifyResult> {
  const server = createThings(fault, sparse);
  const port = await listen(server);
  try {
    return await verify(target, {
      base: new URL(`http://127.0.0.1:${port}/api`),
      seed: 1,
      runs: 2,
      limits: PATIENT,
      timeout: GIVE_UP_MS,
      credentials: {
        keys: new Map([
          ["key", KEY],
          ["pin", PIN],
        ]),
        headers: [],
      },
      ...options,
    });
  } finally {
    await close(server);
  }
}
