import type { Draft } from "../draft.js";
import type { Target } from "../target.js";
import { findSites, replaceAt, type Site } from "./sites.js";

/**
 * A request with one value that a contract allows, or forbids without saying so, and that services are known to fail for: a text
 * with NUL, half of a surrogate pair, an integer that no double or database column holds. Whether they are accepted is theirs.
 */
export function* withOddValues(draft: Draft, { requests }: Target): Generator<Draft> {
  const { shape, value } = draft;
  for (const site of findSites(requests.get(shape.schema), value, requests)) {
    for (const odd of toOdd(site)) {
      yield { ...draft, value: replaceAt(value, site.path, odd) as Draft["value"], expectation: "open" };
    }
  }
}

function toOdd({ path, schema, value }: Site): readonly unknown[] {
  if (path.length < 2 && path[0] !== "body") return [];
  if (typeof value === "number" && Number.isInteger(value))
    return [2 ** 53, 2 ** 63, -(2 ** 63) - 2 ** 12, 1e26];
  if (typeof value !== "string" || schema.enum !== undefined || path[0] === "header") return [];
  // In a path, many servers in front refuse it before the service sees it.
  return path[0] === "path" ? ["%"] : [`a\u{0}b`, "\u{D800}", "' OR 1=1 --"];
}
