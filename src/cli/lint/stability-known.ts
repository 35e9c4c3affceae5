import type { Oas3Visitor } from "@redocly/openapi-core";
import { findUnreadable } from "tenon/core/document/lifecycle";
import { visitLifecycles } from "./visit-lifecycles.js";

/** `x-stability-level` is one of its levels: whoever reads another has to take it for `stable`, and promises more than was meant. */
export function stabilityKnown(): Oas3Visitor {
  return visitLifecycles((node, _noun, context) => {
    for (const { key, value, wanted } of findUnreadable(node)) {
      if (key !== "x-stability-level") continue;
      context.report({
        message: `Expected \`${key}\` to be ${wanted}; found ${JSON.stringify(value)}.`,
        location: context.location.child(key),
      });
    }
  });
}
