/**
 * The only file that knows express-openapi-validator (EOV). EOV's middleware matches, authenticates and parses on its own;
 * only its request and response validators are used here, through modules that its package does not document, so the
 * version is pinned exactly and `createValidator` fails at start, not at the first request, when they have moved.
 */
import { AjvOptions } from "express-openapi-validator/dist/framework/ajv/options.js";
import { defaultSerDes } from "express-openapi-validator/dist/framework/base.serdes.js";
import { OpenAPISchemaValidator } from "express-openapi-validator/dist/framework/openapi.schema.validator.js";
import { BadRequest, InternalServerError } from "express-openapi-validator/dist/framework/types.js";
import { RequestValidator } from "express-openapi-validator/dist/middlewares/openapi.request.validator.js";
import { ResponseValidator } from "express-openapi-validator/dist/middlewares/openapi.response.validator.js";
import { SchemaPreprocessor } from "express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js";
import { ContentType } from "express-openapi-validator/dist/middlewares/util.js";
import { toMediaKind } from "../media-type.js";
import {
  contentOf,
  type ContractDocument,
  type MediaTypeObject,
  type OperationObject,
} from "./contract-document.js";
import { cookieParameter, toEnforcedDocument } from "./enforced-document.js";
import type { OperationDescriptor } from "./operation.js";
import type { Query } from "./query.js";
import { withFiles, withoutFiles, type Form } from "./form-files.js";
import { findValidated } from "./request-content.js";
import { compileResponseCheck, type ResponseCheck } from "./response-check.js";
import type { CompileSchema } from "./response-headers.js";
import { toValidationError, type ValidationProblem } from "./validation-problems.js";

/** A request on its way through validation: wire values in, values of the contract's types out. */
export interface RequestValues {
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, unknown>>;
  cookies: Readonly<Record<string, unknown>>;
  body: unknown;
}

export interface WireRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The query as it was sent, without `?`. */
  readonly rawQuery: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The declared media type that the body was recognised as; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
}

export interface OperationValidator {
  /**
   * Coerces parameters, applies defaults and validates.
   * @throws {HttpError} `invalid_parameter` or `invalid_body`, with every problem in the message.
   */
  request(request: WireRequest): RequestValues;
  /** Problems of a response's status, body and headers; empty when it is as declared. */
  readonly response: ResponseCheck;
}

/** EOV's request middleware reads and writes these members of a request and no others. */
interface EovRequest {
  openapi: {
    expressRoute: string;
    openApiRoute: string;
    pathParams: Record<string, unknown>;
    schema: OperationObject;
  };
  path: string;
  originalUrl: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
}

/** What EOV is told that every body is: it has been read already, and EOV would read the fields of forms once more. */
const JSON_TYPE = "application/json";

type EovMiddleware = (request: EovRequest, response: undefined, next: () => void) => void;
type EovResponseValidators = Readonly<Record<string, unknown>>;

/** The members of EOV's classes that are used; TypeScript calls some of them private. */
interface EovRequestValidator {
  buildMiddleware(
    path: string,
    schema: OperationObject,
    contentType: ContentType,
    key: string,
  ): EovMiddleware;
}
interface EovResponseValidator {
  readonly ajvBody: { compile: CompileSchema };
  buildValidators(responses: unknown, key: string): EovResponseValidators;
  _validate(response: {
    validators: EovResponseValidators;
    body: unknown;
    statusCode: number;
    path: string;
    accepts: readonly string[];
  }): void;
}

/**
 * Prepares a contract for enforcement.
 * @returns a function that compiles an operation's validators; call it for each at start, so that the first request
 *   costs what the second does. It throws when the document lacks the operation.
 * @throws when the document is not valid OpenAPI.
 */
export function createValidatorCompiler(
  document: ContractDocument,
): (operation: OperationDescriptor) => OperationValidator {
  assertOpenApi(document);
  const { request, response } = createEov(toEnforcedDocument(document));
  return (operation) => compileOperation(operation, request, response);
}

function assertOpenApi(document: ContractDocument): void {
  const validator = new OpenAPISchemaValidator({ version: document.openapi, validateApiSpec: true });
  const errors = validator.validate(document as never).errors ?? [];
  const [first] = errors;
  if (first === undefined) return;
  throw new Error(
    `The contract is not a valid OpenAPI ${document.openapi} document: ` +
      `${first.instancePath === "" ? "/" : first.instancePath} ${first.message ?? "is invalid"}`,
  );
}

interface EovSide<Validator> {
  readonly validator: Validator;
  readonly document: ContractDocument;
}

function createEov(document: ContractDocument): {
  request: EovSide<EovRequestValidator>;
  response: EovSide<EovResponseValidator>;
} {
  // Every problem is told at once (allErrors); bodies are never coerced, only parameters are.
  const options = new AjvOptions({
    validateRequests: { allowUnknownQueryParameters: false, coerceTypes: false, allErrors: true },
    validateResponses: { coerceTypes: false, allErrors: true },
    validateFormats: true,
    formats: {},
    ajvFormats: { mode: "fast" },
    serDes: defaultSerDes,
  } as never);
  const processed = new SchemaPreprocessor(document as never, options.preprocessor, {}).preProcess();
  const requestDocument = processed.apiDoc as unknown as ContractDocument;
  const responseDocument = processed.apiDocRes as unknown as ContractDocument;
  return {
    request: {
      validator: new RequestValidator(
        requestDocument as never,
        options.request,
      ) as unknown as EovRequestValidator,
      document: requestDocument,
    },
    response: {
      validator: new ResponseValidator(
        responseDocument as never,
        options.response,
      ) as unknown as EovResponseValidator,
      document: responseDocument,
    },
  };
}

function compileOperation(
  operation: OperationDescriptor,
  request: EovSide<EovRequestValidator>,
  response: EovSide<EovResponseValidator>,
): OperationValidator {
  const schema = operationObject(request.document, operation);
  const byMediaType = compileRequestBodies(operation, request);
  // The reader of bodies has already decided what an absent body means, so EOV must not ask for its media type.
  const withoutBody = request.validator.buildMiddleware(
    operation.path,
    { ...schema, requestBody: undefined },
    ContentType.fromString(""),
    `${operation.id} without body`,
  );
  const { responses } = operationObject(response.document, operation);
  const checkResponse = compileResponseCheck(
    operation,
    { document: response.document, responses },
    {
      headers: (schema) => response.validator.ajvBody.compile(schema),
      json: (mediaType, key) => compileJsonBody(response.validator, mediaType, `${operation.id} ${key}`),
    },
  );

  return {
    request(wire) {
      const isMultipart = wire.mediaType !== undefined && toMediaKind(wire.mediaType) === "multipart";
      const facade: EovRequest = {
        openapi: {
          expressRoute: operation.path,
          openApiRoute: operation.path,
          pathParams: { ...wire.path, ...cookiesOf(operation, wire) },
          schema,
        },
        path: operation.path,
        originalUrl: `${operation.path}?${wire.rawQuery}`,
        params: {},
        query: wire.query,
        headers: { ...wire.headers },
        body: isMultipart ? withoutFiles(wire.body as Form) : wire.body,
      };
      const middleware =
        (wire.mediaType === undefined ? undefined : byMediaType.get(wire.mediaType)) ?? withoutBody;
      try {
        middleware(facade, undefined, () => undefined);
      } catch (error) {
        if (!(error instanceof BadRequest)) throw error;
        throw toValidationError(problemsOf(error), error);
      }
      const { params: path, query, headers, body } = facade;
      const cookies = takeCookies(operation, path);
      return {
        path,
        query,
        headers,
        cookies,
        body: isMultipart ? withFiles(body as Form, wire.body as Form) : body,
      };
    },

    response: checkResponse,
  };
}

function compileRequestBodies(
  operation: OperationDescriptor,
  { validator, document }: EovSide<EovRequestValidator>,
): ReadonlyMap<string, EovMiddleware> {
  const { id, path } = operation;
  const schema = operationObject(document, operation);
  const content = findValidated(operation, contentOf(document, schema.requestBody), document);
  return new Map(
    content.map(([name, mediaType]) => [
      name,
      validator.buildMiddleware(
        path,
        { ...schema, requestBody: { required: true, content: { [JSON_TYPE]: mediaType } } },
        ContentType.fromString(JSON_TYPE),
        `${id} ${name}`,
      ),
    ]),
  );
}

/** Compiles the check of one JSON response body. */
function compileJsonBody(
  validator: EovResponseValidator,
  mediaType: MediaTypeObject,
  key: string,
): (body: unknown) => readonly string[] {
  const validators = validator.buildValidators({ "200": { content: { [JSON_TYPE]: mediaType } } }, key);
  return (body) => {
    try {
      validator._validate({ validators, body, statusCode: 200, path: "/", accepts: [JSON_TYPE] });
      return [];
    } catch (error) {
      if (!(error instanceof InternalServerError)) throw error;
      const problems = error.errors as readonly ValidationProblem[];
      return problems.map(({ path, message }) => `${path.replace(/^\/response/, "") || "/"} ${message}`);
    }
  };
}

function operationObject(
  document: ContractDocument,
  { id, path, method }: OperationDescriptor,
): OperationObject {
  const found = document.paths?.[path]?.[method];
  if (found === undefined) {
    throw new Error(
      `The contract has no operation ${method.toUpperCase()} ${path} ("${id}"); generate it anew`,
    );
  }
  return found;
}

/** What EOV finds before Ajv runs has the path of the value and no list of errors. */
function problemsOf(error: BadRequest): readonly ValidationProblem[] {
  const problems = error.errors as readonly ValidationProblem[] | undefined;
  if (problems !== undefined && problems.length > 0) return problems;
  return [{ path: error.path ?? "", message: error.message }];
}

function cookiesOf({ parameters }: OperationDescriptor, { cookies }: WireRequest): Record<string, string> {
  const declared = parameters.filter((parameter) => parameter.in === "cookie");
  return Object.fromEntries(
    declared.flatMap(({ name }) => {
      const value = cookies[name];
      return value === undefined ? [] : [[cookieParameter(name), value]];
    }),
  );
}

/** Moves validated cookies out of the path parameters that they were disguised as. */
function takeCookies(
  { parameters }: OperationDescriptor,
  path: Record<string, unknown>,
): Record<string, unknown> {
  const cookies: Record<string, unknown> = {};
  for (const { name } of parameters.filter((parameter) => parameter.in === "cookie")) {
    const disguise = cookieParameter(name);
    if (disguise in path) cookies[name] = path[disguise];
    Reflect.deleteProperty(path, disguise);
  }
  return cookies;
}
