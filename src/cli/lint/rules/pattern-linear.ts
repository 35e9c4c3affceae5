import { joinPointer } from "tenon/core/document";
import type { MediaType } from "tenon/core/model";
import { type Schema, toRegExp } from "tenon/core/schema";
import { findBacktracking } from "../../patterns/index.js";
import type { Rule } from "../rule.js";

/**
 * Requires linear time for every pattern that is matched with text of callers. JavaScript's engine tries all ways to match: 30
 * characters block a process for seconds if there are exponentially many, and a body of 100 kB if there are quadratically many.
 */
export const patternLinear: Rule = ({ operations, registry }, { report }) => {
  const received = operations.flatMap(({ parameters, requestBody }) => [
    ...parameters.map(({ schema }) => schema),
    ...(requestBody?.mediaTypes ?? []).flatMap(listSchemas),
  ]);
  const check = (pattern: string, pointer: string, onKey = false): void => {
    const reason = findReason(pattern);
    if (reason === undefined) return;
    const message = `Expected a pattern that takes linear time; ${JSON.stringify(pattern)} ${reason}.`;
    report(pointer, message, { onKey });
  };
  for (const schema of registry.walk(received)) {
    const { pattern, patternProperties = {}, pointer } = schema as Schema & { readonly pattern?: unknown };
    for (const name of Object.keys(patternProperties))
      check(name, joinPointer(pointer, "patternProperties", name), true);
    if (typeof pattern === "string") check(pattern, joinPointer(pointer, "pattern"));
  }
};

function listSchemas({ schema, encoding }: MediaType): readonly Schema[] {
  return [
    ...(schema ? [schema] : []),
    ...encoding.flatMap(({ headers }) => headers.map((header) => header.schema)),
  ];
}

function findReason(pattern: string): string | undefined {
  let compiled: RegExp;
  try {
    compiled = toRegExp(pattern);
  } catch {
    // `schema-compiles` reports a pattern that is not a regular expression.
    return undefined;
  }
  return findBacktracking(pattern, compiled.flags);
}
