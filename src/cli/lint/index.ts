import type { Plugin } from "@redocly/openapi-core";
import { toRedoclyRule } from "./redocly-rule.js";
import { defaultConforms } from "./rules/default-conforms.js";
import { deprecationNamed } from "./rules/deprecation-named.js";
import { errorBody } from "./rules/error-body.js";
import { errorsDeclared } from "./rules/errors-declared.js";
import { examplesConform } from "./rules/examples-conform.js";
import { operationSecured } from "./rules/operation-secured.js";
import { pathParameterDeclared } from "./rules/path-parameter-declared.js";
import { pathParameterMatchable } from "./rules/path-parameter-matchable.js";
import { schemaCompiles } from "./rules/schema-compiles.js";
import { stabilityKnown } from "./rules/stability-known.js";
import { sunsetAhead } from "./rules/sunset-ahead.js";

/**
 * Redocly plugin with the rules that Tenon adds to the built-in ones. Name this file under `plugins` in `redocly.yaml`
 * and switch rules on as `tenon/<name>`.
 */
export default function createPlugin(): Plugin {
  return {
    id: "tenon",
    rules: {
      oas3: {
        "default-conforms": toRedoclyRule(defaultConforms),
        "deprecation-named": toRedoclyRule(deprecationNamed),
        "error-body": toRedoclyRule(errorBody),
        "errors-declared": toRedoclyRule(errorsDeclared),
        "examples-conform": toRedoclyRule(examplesConform),
        "operation-secured": toRedoclyRule(operationSecured),
        "path-parameter-declared": toRedoclyRule(pathParameterDeclared),
        "path-parameter-matchable": toRedoclyRule(pathParameterMatchable),
        "schema-compiles": toRedoclyRule(schemaCompiles),
        "stability-known": toRedoclyRule(stabilityKnown),
        "sunset-ahead": toRedoclyRule(sunsetAhead),
      },
    },
  };
}
