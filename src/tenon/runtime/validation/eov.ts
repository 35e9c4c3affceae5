/**
 * The only file that knows express-openapi-validator (EOV). EOV's middleware matches, authenticates and parses on its own;
 * only the validators that it sets up are used here, through modules that its package does not document, so the
 * version is pinned exactly and `createEov` fails at start, not at the first request, when they have moved.
 */
import { AjvOptions } from "express-openapi-validator/dist/framework/ajv/options.js";
import { RequestValidator } from "express-openapi-validator/dist/middlewares/openapi.request.validator.js";
import { ResponseValidator } from "express-openapi-validator/dist/middlewares/openapi.response.validator.js";
import { DATE_FORMATS } from "./date-formats.js";
import type { ToldProblem, Validate } from "./schema-problem.js";
import { createTeller } from "./tell-problems.js";

/** Schemas of one side by URI, for others to refer to. */
export type SchemasByUri = ReadonlyMap<string, unknown>;

/** Compiles the schema of an object; once, at start: it costs milliseconds. */
export type CompileCheck = (schema: object) => (value: object) => readonly ToldProblem[];

export interface Eov {
  /** Puts defaults into the object and validates; nothing is coerced. */
  readonly compileRequest: CompileCheck;
  /** Validates; no default is put in. */
  readonly compileResponse: CompileCheck;
}

/** The members of EOV's classes that are used; TypeScript calls them private. */
interface EovValidator {
  readonly ajvBody: {
    compile(schema: object): Validate;
    addSchema(schema: unknown, uri: string): unknown;
  };
}

/** @param openapi Version of the contract, which decides about the dialect of its schemas: `3.1.0`. */
export function createEov(openapi: string, requests: SchemasByUri, responses: SchemasByUri): Eov {
  // Every problem is told at once (allErrors); bodies are never coerced.
  const options = new AjvOptions({
    validateRequests: { allowUnknownQueryParameters: false, coerceTypes: false, allErrors: true },
    validateResponses: { coerceTypes: false, allErrors: true },
    validateFormats: true,
    formats: DATE_FORMATS,
    ajvFormats: { mode: "fast" },
    serDes: [],
  } as never);
  const ajv = {
    code: { regExp: createRegExp },
    // What the validator calls strict refuses schemas that are valid: tuples of any length, `required` without `properties`.
    ...{ strict: false, strictTypes: false, strictTuples: false, strictRequired: false, strictSchema: false },
    // Decimals are not exact in binary: 19.99 is a multiple of 0.01 all the same.
    multipleOfPrecision: 9,
    // A property may be called `constructor`, which every object inherits.
    ownProperties: true,
    // A format that the validator does not know is an annotation, not worth a warning.
    logger: false,
    // Problems come with the schemas that they are of, which tells the alternatives of a union apart.
    verbose: true,
  };
  // EOV copies its document into every schema that it compiles, to resolve references from there; ours are resolved by URI.
  const document = { openapi };
  const request: unknown = new RequestValidator(document as never, { ...options.request, ...ajv } as never);
  const response: unknown = new ResponseValidator(
    document as never,
    { ...options.response, ...ajv } as never,
  );
  return {
    compileRequest: createCompiler(request as EovValidator, requests),
    compileResponse: createCompiler(response as EovValidator, responses),
  };
}

function createCompiler({ ajvBody: ajv }: EovValidator, schemas: SchemasByUri): CompileCheck {
  for (const [uri, schema] of schemas) ajv.addSchema(schema, uri);
  const tell = createTeller({ compile: (schema) => ajv.compile(schema), schemas });
  return (schema) => {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) === true ? [] : tell(validate.errors ?? [], value));
  };
}

/**
 * Patterns are Unicode patterns (JSON Schema, section 6.4), and so strict about escapes; one that is only valid without
 * the flag, such as `[a-z\_]`, was meant without it. The validator prints `code` where it prints standalone code.
 */
const createRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: "new RegExp" },
);
