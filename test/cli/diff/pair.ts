import type { Finding } from "../../../src/cli/diff/change.js";
import { compareContracts } from "../../../src/cli/diff/contract/compare-contracts.js";
import { CODES } from "../../../src/cli/diff/codes/codes.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

/** Noon of 21 November 2026, between the future and the past sunset dates of the pairs. */
export const NOW = Date.UTC(2026, 10, 21, 12);

/** Lists changes as `breaking operation-removed`, in the order of their codes. */
export async function listChanges(base: Node, revision: Node): Promise<readonly string[]> {
  const contracts = { base: buildContract(base), revision: buildContract(revision) };
  const changes = await compareContracts(contracts, { now: NOW });
  return changes
    .map(({ code, level }) => `${level ?? CODES[code]?.level ?? "unknown"} ${code}`)
    .filter((change) => !change.endsWith(" texts-changed"))
    .sort();
}

/** Compares schemas of a request and a response. */
export async function findChanges(base: unknown, revision: unknown): Promise<readonly Finding[]> {
  const contracts = { base: buildContract(toContract(base)), revision: buildContract(toContract(revision)) };
  const changes = await compareContracts(contracts, { now: NOW });
  return changes.map((change) => ({
    ...change,
    level: change.level ?? CODES[change.code]?.level ?? "risky",
  }));
}

/** Creates a contract whose only operation has a schema in its request and in its response. */
export function toContract(schema: unknown, version = "3.1.0"): Node {
  const content = { "application/json": { schema } };
  return {
    openapi: version,
    info: { title: "Test", version: "1.0.0" },
    paths: {
      "/things": {
        post: {
          operationId: "post",
          requestBody: { required: true, content },
          responses: { "200": { description: "Done.", content } },
        },
      },
    },
    components: {},
  };
}
