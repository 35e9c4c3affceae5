import type { JsonSchema } from "../../core/schema/index.js";
import type { SchemaProblem } from "../../core/validation/index.js";

/** The validator of one side. */
export interface SideValidator {
  /** Adds a schema for others to refer to. */
  add: (schema: JsonSchema, uri: string) => void;
  /** Compiles added schemas, which is otherwise done with the first one that refers to them. The first ones refer to the last ones. */
  prepare: (uris: readonly string[]) => void;
  /** Compiles the schema of an object; once for each operation: it costs milliseconds. */
  compile(schema: object): (value: object) => readonly SchemaProblem[];
  /** The same for any value. It is validated as a member of an object, so that its defaults are put in wherever they are. */
  compileValue(schema: JsonSchema): (value: unknown) => readonly SchemaProblem[];
  /** Compiles the test of any value. */
  compileTest(schema: JsonSchema): (value: unknown) => boolean;
}

/** The validators of a contract. */
export interface Validators {
  /** Puts defaults into the object and validates; nothing is coerced. */
  readonly request: SideValidator;
  /** Validates; no default is put in. */
  readonly response: SideValidator;
}

/**
 * Formats of strings by name, in addition to the standard ones or in their place: patterns, or functions that test a text.
 * @example
 * const formats: Formats = { sku: /^[A-Z]{3}-\d{4}$/, even: (text) => text.length % 2 === 0 };
 * app.use(createApi({ ...errors, handlers, authenticators, formats }));
 */
export type Formats = Readonly<Record<string, RegExp | ((text: string) => boolean)>>;

/** Validates an object. Returns a function that lists the problems, or undefined for a valid one. */
export type Check = (value: object) => (() => readonly SchemaProblem[]) | undefined;

/** Creates what both kinds of validators have in common. */
export function createCompilers(
  compile: (schema: object) => Check,
): Pick<SideValidator, "compile" | "compileValue" | "compileTest"> {
  const compileList: SideValidator["compile"] = (schema) => {
    const check = compile(schema);
    return (value) => {
      const listProblems = check(value);
      if (listProblems === undefined) return [];
      const problems = listProblems();
      return problems.length > 0 ? problems : [{ path: [], text: "is invalid" }];
    };
  };
  return {
    compile: compileList,
    compileValue(schema) {
      const validate = compileList({ type: "object", properties: { value: schema } });
      return (value) =>
        validate({ value }).map(({ path, text, more }) => ({ path: path.slice(1), text, more }));
    },
    compileTest(schema) {
      const check = compile({ type: "object", properties: { value: { allOf: [schema] } } });
      return (value) => check({ value }) === undefined;
    },
  };
}
