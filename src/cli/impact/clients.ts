import type { ClientBreak } from "../diff/impact.js";
import type { OperationPair } from "./operation-names.js";
import { compareAnswers } from "./answers.js";
import { compareCalls } from "./calls.js";
import { createProbe, type ProbedCall } from "./probe.js";
import { findChangedFiles, type GeneratedSides } from "./question.js";
import { createTypeComparison } from "./type-differences.js";
import { createTypeReader } from "./type-reader.js";

export interface ClientFindings {
  /** Of `createClient`, which every caller calls. */
  readonly whole: readonly ClientBreak[];
  /** By the operations' labels; a new operation has none. */
  readonly byOperation: ReadonlyMap<string, readonly ClientBreak[]>;
}

/**
 * Asks whether code that was written against the client's types of the base compiles with the revision's.
 * @param pairs Operations that are different.
 */
export function askClients(sides: GeneratedSides, pairs: readonly OperationPair[]): ClientFindings {
  const byOperation = new Map<string, readonly ClientBreak[]>();
  const calls: (ProbedCall & { readonly label: string })[] = [];
  const areSame = findChangedFiles(sides, (name) => name === "types.ts" || name === "client.ts").length === 0;
  for (const { label, base, revision } of pairs) {
    if (base === undefined) continue;
    const found = findUncallable(base.path, revision?.path);
    byOperation.set(label, found);
    if (found.length === 0 && !areSame) calls.push({ label, method: base.method, path: base.path });
  }
  if (areSame) return { whole: [], byOperation };
  const probe = createProbe(sides, calls);
  const reader = createTypeReader(probe.checker);
  const sends = createTypeComparison(reader, "sends");
  const reads = createTypeComparison(reader, "reads");
  probe.calls.forEach(({ sent, read }, index) => {
    const found = [...compareCalls(sent, sends, reader), ...compareAnswers(read, reads, reader)];
    byOperation.set(calls[index]?.label ?? "", found);
  });
  const { before, after } = probe.options;
  const whole = sends
    .compare(before, after)
    .map(({ at, message }) => ({ direction: "request" as const, at: `createClient${at}`, message }));
  return { whole, byOperation };
}

/** Who calls an operation writes its path as the contract did. */
function findUncallable(path: string, pathNow: string | undefined): readonly ClientBreak[] {
  if (pathNow === path) return [];
  const message = pathNow === undefined ? "is not there any more" : `is ${JSON.stringify(pathNow)} now`;
  return [{ direction: "request", at: JSON.stringify(path), message }];
}
