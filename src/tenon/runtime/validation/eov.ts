/**
 * The only file that knows express-openapi-validator (EOV). EOV's middleware matches, authenticates and parses on its own;
 * only the validators that it sets up are used here, through modules that its package does not document, so the
 * version is pinned exactly and `createEov` fails at start, not at the first request, when they have moved. These modules behave
 * the same in versions 5.4.9 to 5.6.2; test/tenon/runtime/eov.test.ts states what is used of them.
 */
import { AjvOptions } from "express-openapi-validator/dist/framework/ajv/options.js";
import { RequestValidator } from "express-openapi-validator/dist/middlewares/openapi.request.validator.js";
import { ResponseValidator } from "express-openapi-validator/dist/middlewares/openapi.response.validator.js";
import { type JsonSchema, NON_STANDARD_FORMATS, toRegExp } from "../../core/schema/index.js";
import { ADAPTED, adaptCode } from "./adapted-code.js";
import { type KeywordDefinition, startAsValid, stopAtFirstMissing } from "./adapted-keywords.js";
import { createProblemFormatter } from "./format-problems.js";
import { MULTIPLE_OF } from "./multiple-of.js";
import { TEXT_FORMATS, type Validate } from "../../core/validation/index.js";
import { createEvaluatingKeywords } from "./unevaluated.js";
import { createCompilers, type Formats, type SideValidator, type Validators } from "./side-validator.js";
import { UNIQUE_ITEMS } from "./unique-items.js";

/** The members of EOV's classes that are used; TypeScript calls them private. */
interface EovValidator {
  readonly ajvBody: {
    readonly opts: { unevaluated?: boolean };
    compile(schema: object): Validate;
    getKeyword(keyword: string): unknown;
    removeKeyword(keyword: string): unknown;
    addKeyword(definition: object): unknown;
    addSchema(schema: JsonSchema, uri: string): unknown;
    getSchema(uri: string): unknown;
    readonly schemas: Readonly<Record<string, unknown>>;
    /** The schemas that are being compiled. Those that refer to one of them look its function up when they run. */
    readonly _compilations: Set<unknown>;
  };
}

/** Creates the validators of a contract. */
export function createEov(formats: Formats = {}): Validators {
  // Every problem is reported at once (allErrors); bodies are never coerced.
  const options = new AjvOptions({
    validateRequests: { allowUnknownQueryParameters: false, coerceTypes: false, allErrors: true },
    validateResponses: { coerceTypes: false, allErrors: true },
    validateFormats: true,
    formats: {
      ...TEXT_FORMATS,
      ...Object.fromEntries(NON_STANDARD_FORMATS.map((format) => [format, true])),
      ...formats,
    },
    ajvFormats: { mode: "fast" },
    serDes: [],
  } as never);
  const ajv = {
    code: { regExp: createRegExp, process: adaptCode },
    // Strict mode refuses valid schemas: tuples of any length, `required` without `properties`.
    ...{ strict: false, strictTypes: false, strictTuples: false, strictRequired: false, strictSchema: false },
    // A property may be called `constructor`, which every object inherits.
    ownProperties: true,
    // A format that the validator does not know is an annotation, not worth a warning.
    logger: false,
    // Adds its schema to each error, which identifies the alternative of a union.
    verbose: true,
  };
  // EOV copies its document into every schema that it compiles, to resolve references from there; ours are resolved by URI, and
  // are JSON Schema 2020-12 whatever the contract is.
  const document = { openapi: "3.1.0" };
  const request: unknown = new RequestValidator(document as never, { ...options.request, ...ajv } as never);
  const response: unknown = new ResponseValidator(
    document as never,
    { ...options.response, ...ajv } as never,
  );
  return {
    request: createSideValidator(request as EovValidator),
    response: createSideValidator(response as EovValidator),
  };
}

function createSideValidator({ ajvBody: ajv }: EovValidator): SideValidator {
  Object.assign(ajv, ADAPTED);
  // See `createEvaluatingKeywords`.
  ajv.opts.unevaluated = false;
  const schemas = new Map<string, JsonSchema>();
  const format = createProblemFormatter({ compile: (schema) => ajv.compile(schema), schemas });
  const evaluating = createEvaluatingKeywords({
    compile: (schema) => ajv.compile(schema as object),
    resolve: (uri) => schemas.get(uri),
  });
  for (const definition of [UNIQUE_ITEMS, MULTIPLE_OF, ...evaluating]) {
    ajv.removeKeyword(definition.keyword);
    ajv.addKeyword(definition);
  }
  for (const keyword of ["required", "dependentRequired"])
    stopAtFirstMissing(ajv.getKeyword(keyword) as KeywordDefinition);
  for (const keyword of ["prefixItems", "propertyNames"])
    startAsValid(ajv.getKeyword(keyword) as KeywordDefinition);
  return {
    add(schema, uri) {
      schemas.set(uri, schema);
      ajv.addSchema(schema, uri);
    },
    prepare(uris) {
      try {
        for (const uri of uris.toReversed()) ajv.getSchema(uri);
      } catch (error) {
        // A long circle has no last schema. Calls between schemas that are compiled apart are slower.
        if (!(error instanceof RangeError)) throw error;
        compileApart(uris, ajv);
      }
    },
    ...createCompilers((schema) => {
      const validate = ajv.compile(schema);
      return (value) => (validate(value) === true ? undefined : () => format(validate.errors ?? []));
    }),
  };
}

/** Compiles schemas one by one, as if all the others were being compiled already. */
function compileApart(uris: readonly string[], ajv: EovValidator["ajvBody"]): void {
  const added = uris.map((uri) => ajv.schemas[uri]);
  for (const schema of added) ajv._compilations.add(schema);
  for (const [index, uri] of uris.entries()) {
    ajv._compilations.delete(added[index]);
    ajv.getSchema(uri);
    ajv._compilations.add(added[index]);
  }
  for (const schema of added) ajv._compilations.delete(schema);
}

/** The validator prints `code` where it prints standalone code. */
const createRegExp = Object.assign((pattern: string) => toRegExp(pattern), { code: "new RegExp" });
