import type { ClientBreak } from "../impact.js";
import type { OperationPair } from "../operation-pairs.js";
import { findChangedFiles, type GeneratedSides } from "../sides.js";
import { compareRequests, compareResponses } from "./compare-calls.js";
import { TypeComparison } from "./compare-types.js";
import { CLIENT_FILE, createProbe, type ProbedCall } from "./probe.js";
import { TypeReader } from "./type-reader.js";

export interface ClientFindings {
  /** Breaks of `createClient`, which concern every client. */
  readonly whole: readonly ClientBreak[];
  /** Breaks by the label of an operation of the base. */
  readonly byOperation: ReadonlyMap<string, readonly ClientBreak[]>;
}

/**
 * Finds the reasons why code that compiles with the base's client does not compile with the revision's.
 * @param pairs The changed operations.
 */
export function findClientBreaks(sides: GeneratedSides, pairs: readonly OperationPair[]): ClientFindings {
  const byOperation = new Map<string, readonly ClientBreak[]>();
  const calls: (ProbedCall & { readonly label: string })[] = [];
  const areSame = findChangedFiles(sides, (name) => CLIENT_FILE.test(name)).length === 0;
  for (const { label, base, revision } of pairs) {
    if (base === undefined) continue;
    const found = findUncallable(base.path, revision?.path);
    byOperation.set(label, found);
    if (found.length === 0 && !areSame) calls.push({ label, method: base.method, path: base.path });
  }
  if (areSame) return { whole: [], byOperation };
  const probe = createProbe(sides, calls);
  const reader = new TypeReader(probe.checker);
  const sends = new TypeComparison(reader, "sends");
  const reads = new TypeComparison(reader, "reads");
  probe.calls.forEach(({ sent, read }, index) => {
    const found = [...compareRequests(sent, sends), ...compareResponses(read, reads)];
    byOperation.set(calls[index]?.label ?? "", found);
  });
  const { before, after } = probe.options;
  const whole = sends
    .compare(before, after)
    .map(({ at, message }) => ({ direction: "request" as const, at: `createClient${at}`, message }));
  return { whole, byOperation };
}

/** A call contains the path template of its contract. */
function findUncallable(path: string, pathNow: string | undefined): readonly ClientBreak[] {
  if (pathNow === path) return [];
  const message = pathNow === undefined ? "was removed" : `changed to ${JSON.stringify(pathNow)}`;
  return [{ direction: "request", at: JSON.stringify(path), message }];
}
