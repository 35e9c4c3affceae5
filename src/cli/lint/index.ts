import type { Oas3Rule, Plugin, UserContext } from "@redocly/openapi-core";
import { defaultConforms, examplesConform } from "./rules/examples.js";
import { deprecationNamed, stabilityKnown, sunsetAhead } from "./rules/lifecycle.js";
import { errorBody, errorsDeclared } from "./rules/errors.js";
import { integerExact } from "./rules/integer-exact.js";
import { operationSecured } from "./rules/operation-secured.js";
import { paginationValid } from "./rules/pagination-valid.js";
import { pathParameterDeclared, pathParameterMatchable } from "./rules/path-parameters.js";
import { patternLinear } from "./rules/pattern-linear.js";
import { schemaCompiles } from "./rules/schema-compiles.js";
import { allowKeywords, type Extend, schemaKeywordKnown } from "./rules/schema-keyword-known.js";
import { toolDeclared } from "./rules/tool-declared.js";
import { isNode, type Node } from "tenon/core/document";
import { buildContract } from "tenon/core/model";
import { correctTypes } from "./openapi-3-2.js";
import { collectDeclarations } from "./declarations.js";
import { Documents } from "./documents.js";
import type { Rule } from "./rule.js";
import { createValidate } from "./validate.js";

/**
 * Redocly plugin with the rules that Tenon adds to the built-in ones. Name this file under `plugins` in `redocly.yaml`
 * and switch rules on as `tenon/<name>`.
 */
export default function createPlugin(): Plugin {
  return {
    id: "tenon",
    typeExtension: {
      oas3: (types, version) =>
        allowExtensions(allowKeywords(correctTypes(types, version), version), version),
    },
    rules: {
      oas3: {
        "default-conforms": toRedoclyRule(defaultConforms),
        "deprecation-named": toRedoclyRule(deprecationNamed),
        "error-body": toRedoclyRule(errorBody),
        "errors-declared": toRedoclyRule(errorsDeclared),
        "examples-conform": toRedoclyRule(examplesConform),
        "integer-exact": toRedoclyRule(integerExact),
        "operation-secured": toRedoclyRule(operationSecured),
        "pagination-valid": toRedoclyRule(paginationValid),
        "path-parameter-declared": toRedoclyRule(pathParameterDeclared),
        "path-parameter-matchable": toRedoclyRule(pathParameterMatchable),
        "pattern-linear": toRedoclyRule(patternLinear),
        "schema-compiles": toRedoclyRule(schemaCompiles),
        "schema-keyword-known": schemaKeywordKnown,
        "stability-known": toRedoclyRule(stabilityKnown),
        "sunset-ahead": toRedoclyRule(sunsetAhead),
        "tool-declared": toRedoclyRule(toolDeclared),
      },
    },
  };
}

/**
 * Lets `struct` accept any value of an extension. Redocly knows some names, such as `x-webhooks` and `x-code-samples`, and refuses what
 * others mean by them.
 * @see https://spec.openapis.org/oas/v3.1.0#specification-extensions
 */
const allowExtensions: Extend = (types) =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const own = Object.entries(type.properties).filter(([key]) => !key.startsWith("x-"));
      return [name, { ...type, properties: Object.fromEntries(own) }];
    }),
  );

/** The data that all rules share, by the root node of the document. */
const known = new WeakMap<Node, ReturnType<typeof read>>();

/** Converts one of our rules to a rule of Redocly's. It runs at the end, also on a document that `struct` rejects. */
function toRedoclyRule<Options extends object>(rule: Rule<Options>): Oas3Rule {
  return (options) => ({
    Root: {
      leave(root: unknown, context) {
        if (!isNode(root)) return;
        const linted = known.get(root) ?? read(root, context);
        known.set(root, linted);
        const { contract, declarations, documents, incomplete } = linted;
        const reported = new Set<string>();
        rule(contract, {
          options: options as Partial<Options>,
          declarations,
          validate: createValidate(contract.registry, context),
          report(pointer, message, { onKey = false, severity } = {}) {
            const problem = `${documents.toFirstPointer(pointer)} ${message}`;
            // A reference that cannot be resolved is reported itself.
            if (reported.has(problem) || incomplete.has(pointer)) return;
            reported.add(problem);
            const location = { ...documents.locate(pointer), reportOnKey: onKey };
            context.report({ message, location, ...(severity && { forceSeverity: severity }) });
          },
        });
      },
    },
  });
}

/** Builds the model of a document. `incomplete` has the pointers of references that cannot be resolved, and of their parents. */
function read(root: Node, context: UserContext) {
  const documents = new Documents(root, context);
  const incomplete = new Set<string>();
  const contract = buildContract(root, {
    lookUp(reference, from) {
      const target = documents.lookUp(reference, from);
      // A lookup of a component by its pointer comes from the root.
      if (target === undefined && from !== "#")
        incomplete.add(from).add(from.slice(0, from.lastIndexOf("/")));
      return target;
    },
  });
  return { documents, contract, incomplete, declarations: collectDeclarations(contract) };
}
