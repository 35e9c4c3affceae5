import { isNode, type Node } from "./node.js";

const TEXTS: ReadonlySet<string> = new Set(["description", "summary", "title"]);
/** Keywords whose values are data, unless the keyword is a name chosen by the author. */
const DATA: ReadonlySet<string> = new Set(["example", "examples", "default", "enum", "const"]);

/** Collects the titles, summaries and descriptions of a document at any depth. */
export function collectTexts(document: Node): ReadonlySet<string> {
  const texts = new Set<string>();
  const seen = new Set<object>();
  const pending: unknown[] = [document];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === "string" && TEXTS.has(key)) texts.add(child.trim());
      else if (typeof child === "object" && !(DATA.has(key) && !isNode(child))) pending.push(child);
    }
  }
  return texts;
}
