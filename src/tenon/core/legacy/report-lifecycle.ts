import { type DocumentContext, type Located } from "./document.js";
import { joinPointer } from "../document/pointer.js";
import { endsBeforeStart, findUnreadable, readLifecycle } from "../document/lifecycle.js";

/**
 * Reports what an operation, parameter or header says of its end and nobody can read, or what cannot be. A level of stability that there
 * is not promises as much as none; the lint rule `stability-known` tells of it.
 */
export function reportLifecycle({ node, pointer }: Located, { report }: DocumentContext): void {
  for (const { key, value, wanted } of findUnreadable(node)) {
    if (key === "x-stability-level") continue;
    const code = key === "x-replaced-by" ? "replaced-by-unknown" : "date-invalid";
    report(code, joinPointer(pointer, key), `${key} must be ${wanted}, found ${JSON.stringify(value)}`);
  }
  if (endsBeforeStart(readLifecycle(node))) {
    const message = "x-sunset must not be earlier than x-deprecated-since";
    report("date-invalid", joinPointer(pointer, "x-sunset"), message);
  }
}
