import type { Operation } from "tenon/core/model";
import { describeOperation } from "tenon/runtime/internal";
import { emitExpanded } from "../text.js";

/** Emits the descriptions of all operations for the service, as an array literal of `OperationDescriptor`. */
export function emitOperationTable(operations: readonly Operation[]): string {
  if (operations.length === 0) return "[]";
  const rows = operations.map((operation) => `  ${emitExpanded(describeOperation(operation), "  ")},\n`);
  return `[\n${rows.join("")}]`;
}
