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
import { toEnforcedDocument } from "./enforced-document.js";
import { withFiles, withoutFiles, type Form } from "./form-files.js";
import type { OperationDescriptor } from "./operation.js";
import { toKey } from "./parameter-name.js";
import { compileParameters } from "./parameter-validator.js";
import { findValidated } from "./request-content.js";
import { compileResponseCheck, type ResponseCheck } from "./response-check.js";
import type { CompileSchema } from "./response-headers.js";
import { toValidationError, type ValidationProblem } from "./validation-problems.js";

/** What a handler sees: values of the contract's types, defaults applied, by the contract's names. */
export interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A request before it is validated. */
export interface ReadRequest {
  /** Values by `toKey`; defaults are put in here. */
  readonly parameters: Record<string, unknown>;
  /** The declared media type that the body was recognised as; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
}

export interface OperationValidator {
  /**
   * Applies defaults and validates.
   * @throws {HttpError} `invalid_parameter` or `invalid_body`, with every problem in the message.
   */
  request(request: ReadRequest): RequestValues;
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
  /** Coerces nothing. */
  readonly ajvBody: { compile: CompileSchema };
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
  const declared = operationObject(request.document, operation);
  const validateParameters = compileParameters(operation, {
    compile: (values) => request.validator.ajvBody.compile(values),
    document: request.document,
    declared,
  });
  // Parameters are validated above: EOV would parse and coerce them anew, and by other rules.
  const schema = { ...declared, parameters: [] };
  const bodyMiddleware = compileRequestBodies(operation, request, schema);
  const { responses } = operationObject(response.document, operation);
  const checkResponse = compileResponseCheck(
    operation,
    { document: response.document, responses },
    {
      headers: (headers) => response.validator.ajvBody.compile(headers),
      json: (mediaType, key) => compileJsonBody(response.validator, mediaType, `${operation.id} ${key}`),
    },
  );

  return {
    request({ parameters, mediaType, body }) {
      const isMultipart = mediaType !== undefined && toMediaKind(mediaType) === "multipart";
      const facade = toEovRequest(operation.path, schema, isMultipart ? withoutFiles(body as Form) : body);
      // The reader of bodies has already decided what an absent body means.
      const middleware = mediaType === undefined ? undefined : bodyMiddleware.get(mediaType);
      const problems = [
        ...validateParameters(parameters),
        ...requestProblems(() => middleware?.(facade, undefined, () => undefined)),
      ];
      if (problems.length > 0) throw toValidationError(problems);
      return {
        ...toPlaces(operation, parameters),
        body: isMultipart ? withFiles(facade.body as Form, body as Form) : facade.body,
      };
    },

    response: checkResponse,
  };
}

function compileRequestBodies(
  operation: OperationDescriptor,
  { validator, document }: EovSide<EovRequestValidator>,
  schema: OperationObject,
): ReadonlyMap<string, EovMiddleware> {
  const { id, path } = operation;
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

/** Puts parameters where handlers look for them. No prototype, so that what is absent is undefined whatever its name. */
function toPlaces(
  { parameters }: OperationDescriptor,
  values: Readonly<Record<string, unknown>>,
): Omit<RequestValues, "body"> {
  const empty = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;
  const places = { path: empty(), query: empty(), header: empty(), cookie: empty() };
  for (const parameter of parameters) {
    const key = toKey(parameter);
    if (key in values) places[parameter.in][key.slice(parameter.in.length + 1)] = values[key];
  }
  const { path, query, header: headers, cookie: cookies } = places;
  return { path, query, headers, cookies };
}

function toEovRequest(path: string, schema: OperationObject, body: unknown): EovRequest {
  return {
    openapi: { expressRoute: path, openApiRoute: path, pathParams: {}, schema },
    path,
    originalUrl: path,
    params: {},
    query: {},
    headers: {},
    body,
  };
}

function requestProblems(validate: () => void): readonly ValidationProblem[] {
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
