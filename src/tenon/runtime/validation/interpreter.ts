import type { JsonSchema } from "../../core/schema/index.js";
import { buildCalls } from "../../core/validation/index.js";
import * as functions from "../../schemas/index.js";
import { check, type Keyword, type Rules, Run } from "../../schemas/run.js";
import { findProblems, RULES } from "../../schemas/schema.js";
import { toComponentName } from "./schemas.js";
import { createCompilers, type SideValidator, type Validators } from "./side-validator.js";

/**
 * Creates validators for places that forbid the evaluation of code, such as pages with a strict policy. They call the functions that
 * `schemas.ts` calls, and are slower than the compiled ones.
 */
export function createInterpreter(): Validators {
  return { request: createSide(true), response: createSide(false) };
}

const FUNCTIONS = functions as unknown as Readonly<Record<string, (...parts: readonly unknown[]) => Keyword>>;

function createSide(putsDefaults: boolean): SideValidator {
  const schemas = new Map<string, JsonSchema>();
  const references = new Map<string, Keyword>();
  const build = (schema: JsonSchema): Rules =>
    buildCalls<unknown>(schema, {
      call: (keyword, parts) => FUNCTIONS[keyword]?.(...parts),
      list: (items) => items,
      object: Object.fromEntries,
      value: (value) => value,
      reference: refer,
      putsDefaults,
    }) as Rules;

  function refer(uri: string): Keyword {
    let rules: Rules | undefined;
    const getRules = (): Rules => {
      const schema = schemas.get(uri);
      if (schema === undefined) throw new Error(`Missing schema ${uri}`);
      return (rules ??= build(schema));
    };
    const reference =
      references.get(uri) ?? functions.recursive({ [RULES]: getRules, name: toComponentName(uri) });
    references.set(uri, reference);
    return reference;
  }

  return {
    add(schema, uri) {
      schemas.set(uri, schema);
    },
    prepare: () => undefined,
    ...createCompilers((schema) => {
      const rules = build(schema as JsonSchema);
      return (value) => {
        const problems = findProblems(() => check(rules, value, new Run()));
        return problems && (() => problems);
      };
    }),
  };
}
