import type { JsonSchema } from "../../core/schema/index.js";
import {
  type Applicators,
  Evaluation,
  type Keywords,
  MAX_ERRORS,
  type SchemaCompiler,
} from "./evaluation.js";
import type { ValidatorError } from "../../core/validation/index.js";

/** The context of a value. */
interface DataContext {
  readonly instancePath: string;
  readonly rootData: object;
}

/**
 * Creates the keywords `contains`, `unevaluatedProperties` and `unevaluatedItems` for the validator. Its own record what was evaluated
 * during validation: also by alternatives that fail later, and not by items that match `contains`. These determine afterwards which
 * alternatives are valid.
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-11
 */
export function createEvaluatingKeywords(compiler: SchemaCompiler): readonly { readonly keyword: string }[] {
  const evaluation = new Evaluation(compiler);
  return [
    createContains(evaluation),
    createUnevaluated("unevaluatedProperties", "object", evaluation),
    createUnevaluated("unevaluatedItems", "array", evaluation),
  ];
}

function createContains(evaluation: Evaluation) {
  const compile = (schema: JsonSchema, { minContains = 1, maxContains = Infinity }: Applicators) => {
    const validate = (items: readonly unknown[], { rootData }: DataContext): boolean => {
      const run = evaluation.getRun(rootData);
      const enough = maxContains === Infinity ? minContains : maxContains + 1;
      let count = 0;
      for (const item of items) {
        if (count >= enough) break;
        if (evaluation.passes(run, schema, item)) count += 1;
      }
      const isValid = count >= minContains && count <= maxContains;
      const most = maxContains === Infinity ? "" : ` and no more than ${maxContains}`;
      const message = `must contain at least ${minContains}${most} valid item(s)`;
      validate.errors = isValid ? undefined : [{ keyword: "contains", params: { minContains }, message }];
      return isValid;
    };
    validate.errors = undefined as readonly object[] | undefined;
    return validate;
  };
  return {
    keyword: "contains",
    type: "array",
    schemaType: ["boolean", "object"],
    errors: true,
    compile,
  };
}

function createUnevaluated(
  keyword: "unevaluatedProperties" | "unevaluatedItems",
  type: string,
  evaluation: Evaluation,
) {
  const compile = (schema: JsonSchema, parent: Keywords) => {
    const validate = (value: object, { instancePath, rootData }: DataContext): boolean => {
      validate.errors = undefined;
      const run = evaluation.getRun(rootData);
      const { keys, all } = evaluation.evaluate(run, parent, value, true);
      const rest = all || schema === true ? [] : Object.keys(value).filter((key) => !keys.has(key));
      if (rest.length === 0) return true;
      const errors =
        typeof schema === "boolean"
          ? listUnevaluated(keyword, rest, value)
          : evaluation.validateMembers(run, schema, value, rest);
      const count = Math.max(1, Math.min(MAX_ERRORS, run.errorsLeft));
      run.errorsLeft -= Math.min(count, errors.length);
      validate.errors = errors.slice(0, count).map((error) =>
        keep({
          parentSchema: parent,
          schema,
          data: value,
          ...error,
          instancePath: instancePath + error.instancePath,
        }),
      );
      return errors.length === 0;
    };
    validate.errors = undefined as readonly object[] | undefined;
    return validate;
  };
  return { keyword, type, schemaType: ["boolean", "object"], errors: true, compile };
}

function listUnevaluated(keyword: string, rest: readonly string[], value: object): readonly ValidatorError[] {
  if (keyword === "unevaluatedProperties")
    return rest.map((name) => ({ keyword, instancePath: "", params: { unevaluatedProperty: name } }));
  const [first = ""] = rest;
  if (Array.isArray(value) && rest.length === value.length - Number(first))
    return [{ keyword, instancePath: "", params: {}, message: `must NOT have more than ${first} items` }];
  return rest.map((index) => ({ keyword, instancePath: `/${index}`, params: {}, message: "is not allowed" }));
}

/** The validator would overwrite these members of the errors of a keyword. */
function keep(error: ValidatorError): object {
  const fix = (value: unknown) => ({ enumerable: true, get: () => value, set: () => undefined });
  return Object.defineProperties({ ...error }, { schema: fix(error.schema), data: fix(error.data) });
}
