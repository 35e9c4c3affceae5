import type { Change } from "../../../src/cli/diff/change.js";
import { type DiffReport, withImpact } from "../../../src/cli/diff/diff-contracts.js";

/** A report of one change of each kind. */
export const REPORT: DiffReport = {
  base: "main:openapi.yaml",
  revision: "openapi.yaml",
  changes: [
    toChange({
      code: "request-maximum-lowered",
      level: "breaking",
      operation: "GET /pets",
      before: 100,
      after: 50,
    }),
    toChange({ code: "request-maximum-lowered", level: "breaking", operation: "GET /pets", line: 8 }),
    toChange({ code: "response-enum-value-added", level: "risky", operation: "GET /pets/{petId}" }),
    toChange({ code: "operation-added", level: "safe", operation: "POST /pets" }),
    toChange({ code: "operation-removed", level: "breaking", operation: "DELETE /pets", ignored: "Unused." }),
  ],
  counts: { breaking: 2, risky: 1, safe: 1 },
  version: { before: "1.0.0", after: "1.1.0", bump: "major", proposed: "2.0.0", enough: false },
  policy: "default",
  notJudged: ["examples"],
  notCompared: [],
};

export const CODE_PLACE = {
  file: "src/pets.ts",
  line: 3,
  column: 5,
  code: "TS2322",
  message: "Type 'a' is not assignable to type 'b'.",
  role: "handler",
} as const;

/** The same, with what the compiler said. */
export const ASKED: DiffReport = {
  ...REPORT,
  ...withImpact(REPORT, {
    clients: { asked: true },
    code: { asked: true },
    operations: [
      {
        operation: "GET /pets",
        clients: [{ direction: "request", at: "params.query.limit", message: "is required now" }],
        places: [CODE_PLACE],
      },
      { operation: "POST /pets", clients: [], handlerMissing: true, places: [] },
    ],
    elsewhere: [{ ...CODE_PLACE, file: "src/other.ts", role: "other" }],
  }),
};

export function toChange(change: Partial<Change> & Pick<Change, "code" | "level">): Change {
  const place = { pointer: "#/paths", file: "openapi.yaml", line: 7 };
  return { ...place, message: "It is different", why: "Clients notice.", ...change };
}
