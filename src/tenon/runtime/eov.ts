/**
 * The only file that knows express-openapi-validator (EOV). EOV's middleware matches, authenticates and parses on its own;
 * only its request and response validators are used here, through modules that its package does not document, so the
 * version is pinned exactly and `createEov` fails at start, not at the first request, when they have moved.
 */
import { AjvOptions } from "express-openapi-validator/dist/framework/ajv/options.js";
import { BadRequest } from "express-openapi-validator/dist/framework/types.js";
import { RequestValidator } from "express-openapi-validator/dist/middlewares/openapi.request.validator.js";
import { ResponseValidator } from "express-openapi-validator/dist/middlewares/openapi.response.validator.js";
import { ContentType } from "express-openapi-validator/dist/middlewares/util.js";
import { DATE_FORMATS } from "./date-formats.js";
import type { CompileSchema, SchemaProblem } from "./schema-problem.js";
import type { ValidationProblem } from "./validation-problems.js";

/** Schemas of one side by URI, for others to refer to. */
export type SchemasByUri = ReadonlyMap<string, unknown>;

/** Compiles what an operation says. Compile once at start: it costs milliseconds. */
export interface Eov {
  /** Puts defaults in and validates; nothing is coerced. */
  readonly compileParameters: CompileSchema;
  readonly compileRequestBody: (schema: object | boolean) => (body: unknown) => {
    /** The body with its defaults. */
    readonly body: unknown;
    readonly problems: readonly ValidationProblem[];
  };
  readonly compileResponseHeaders: CompileSchema;
  readonly compileResponseBody: (schema: object | boolean) => (body: unknown) => readonly SchemaProblem[];
}

/** What EOV is told that every body is: it has been read already, and EOV would read the fields of forms once more. */
const JSON_TYPE = "application/json";

/** EOV's request middleware reads and writes these members of a request and no others. */
interface EovRequest {
  openapi: { expressRoute: string; openApiRoute: string; pathParams: object; schema: object };
  path: string;
  originalUrl: string;
  params: object;
  query: object;
  headers: object;
  body: unknown;
}

type EovMiddleware = (request: EovRequest, response: undefined, next: () => void) => void;

/** The members of EOV's classes that are used; TypeScript calls some of them private. */
interface EovAjv {
  compile: CompileSchema;
  addSchema(schema: unknown, uri: string): unknown;
}
interface EovRequestValidator {
  readonly ajvBody: EovAjv;
  buildMiddleware(path: string, schema: object, contentType: ContentType, key: string): EovMiddleware;
}
interface EovResponseValidator {
  readonly ajvBody: EovAjv;
  buildValidators(
    responses: object,
    key: string,
  ): Readonly<Record<string, Readonly<Record<string, ReturnType<CompileSchema>>>>>;
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
  };
  // EOV copies its document into every schema that it compiles, to resolve references from there; ours are resolved by URI.
  const document = { openapi };
  const request = new RequestValidator(
    document as never,
    { ...options.request, ...ajv } as never,
  ) as unknown as EovRequestValidator;
  const response = new ResponseValidator(
    document as never,
    { ...options.response, ...ajv } as never,
  ) as unknown as EovResponseValidator;
  for (const [uri, schema] of requests) request.ajvBody.addSchema(schema, uri);
  for (const [uri, schema] of responses) response.ajvBody.addSchema(schema, uri);

  // EOV remembers what it compiled by a key, which is read as a URI.
  let count = 0;
  const nextKey = (): string => `body${(count += 1)}`;
  return {
    compileParameters: (schema) => request.ajvBody.compile(schema),
    compileRequestBody: (schema) => compileRequestBody(request, schema, nextKey()),
    compileResponseHeaders: (schema) => response.ajvBody.compile(schema),
    compileResponseBody: (schema) => {
      const validators = response.buildValidators({ "200": toContent(schema) }, nextKey());
      const validate = validators["200"]?.[JSON_TYPE];
      if (validate === undefined) throw new Error("express-openapi-validator compiled no validator");
      // Directly, and not by its own `_validate`, which refuses null whatever the schema says.
      return (body) => (validate({ response: body }) === true ? [] : (validate.errors ?? []));
    },
  };
}

/** EOV asks for what `in` finds, which a schema of `true` has nothing of. */
function toContent(schema: object | boolean): object {
  return { content: { [JSON_TYPE]: { schema: typeof schema === "boolean" ? { allOf: [schema] } : schema } } };
}

function compileRequestBody(
  validator: EovRequestValidator,
  bodySchema: object | boolean,
  key: string,
): ReturnType<Eov["compileRequestBody"]> {
  const schema = { parameters: [], requestBody: { required: true, ...toContent(bodySchema) } };
  const middleware = validator.buildMiddleware("/", schema, ContentType.fromString(JSON_TYPE), key);
  return (body) => {
    const request: EovRequest = {
      openapi: { expressRoute: "/", openApiRoute: "/", pathParams: {}, schema },
      path: "/",
      originalUrl: "/",
      params: {},
      query: {},
      headers: {},
      body,
    };
    return {
      problems: catchProblems(() => {
        middleware(request, undefined, () => undefined);
      }),
      body: request.body,
    };
  };
}

function catchProblems(validate: () => void): readonly ValidationProblem[] {
  try {
    validate();
    return [];
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    const problems = error.errors as readonly ValidationProblem[] | undefined;
    // What EOV finds before Ajv runs has the path of the value and no list of errors.
    if (problems !== undefined && problems.length > 0) return problems;
    return [{ path: error.path ?? "", message: error.message }];
  }
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
