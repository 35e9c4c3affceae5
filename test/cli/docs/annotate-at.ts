import { annotate } from "../../../src/cli/docs/annotate/annotate.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

/** A contract as the pages show it at an instant. */
export function annotateAt<Document extends object>(document: Document, now: number): Document {
  const node = document as Node;
  return annotate(node, buildContract(node)).at(now) as Document;
}
