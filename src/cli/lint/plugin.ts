import type { Plugin } from "@redocly/openapi-core";
import { defaultConforms } from "./default-conforms.js";
import { deprecationNamed } from "./deprecation-named.js";
import { errorBody } from "./error-body.js";
import { errorsDeclared } from "./errors-declared.js";
import { examplesConform } from "./examples-conform.js";
import { operationSecured } from "./operation-secured.js";
import { pathParameterDeclared } from "./path-parameter-declared.js";
import { pathParameterMatchable } from "./path-parameter-matchable.js";
import { schemaCompiles } from "./schema-compiles.js";
import { stabilityKnown } from "./stability-known.js";
import { sunsetAhead } from "./sunset-ahead.js";

/**
 * Redocly plugin with the rules that Tenon adds to the built-in ones. Name this file under `plugins` in `redocly.yaml`
 * and switch rules on as `tenon/<name>`.
 */
export default function createPlugin(): Plugin {
  return {
    id: "tenon",
    rules: {
      oas3: {
        "default-conforms": defaultConforms,
        "deprecation-named": deprecationNamed,
        "error-body": errorBody,
        "errors-declared": errorsDeclared,
        "examples-conform": examplesConform,
        "operation-secured": operationSecured,
        "path-parameter-declared": pathParameterDeclared,
        "path-parameter-matchable": pathParameterMatchable,
        "schema-compiles": schemaCompiles,
        "stability-known": stabilityKnown,
        "sunset-ahead": sunsetAhead,
      },
    },
  };
}
