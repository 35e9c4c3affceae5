import { compareContracts } from "../../../src/cli/diff/contract/compare-contracts.js";
import { CODES } from "../../../src/cli/diff/codes/codes.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

/** Noon of 21 November 2026, between the future and the past sunset dates of the pairs. */
export const NOW = Date.UTC(2026, 10, 21, 12);

/** Lists changes as `breaking operation-removed`, in the order of their codes. */
export function listChanges(base: Node, revision: Node): readonly string[] {
  return compareContracts({ base: buildContract(base), revision: buildContract(revision) }, { now: NOW })
    .map(({ code, level }) => `${level ?? CODES[code]?.level ?? "unknown"} ${code}`)
    .filter((change) => !change.endsWith(" texts-changed"))
    .sort();
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
