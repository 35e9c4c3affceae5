import { findInvalidExtensions } from "tenon/core/document";
import type { Rule } from "../rule.js";

/** Requires a known `x-stability-level`. An unknown level counts as `stable`, which promises more than its author meant. */
export const stabilityKnown: Rule = (_contract, { declarations, report }) => {
  for (const { pointer, fields } of declarations.lasting)
    for (const { key, value, expected } of findInvalidExtensions(fields))
      if (key === "x-stability-level")
        report(`${pointer}/${key}`, `Expected \`${key}\` to be ${expected}; found ${JSON.stringify(value)}.`);
};
