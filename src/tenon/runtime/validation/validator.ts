import type { ContractDocument } from "../contract-document.js";
import {
  type EnforcedRequest,
  type EnforcedResponses,
  enforceRequests,
  enforceResponses,
} from "./enforced-contract.js";
import { createEov, type Eov } from "./eov.js";
import { type Form, withFiles, withoutFiles } from "../body/form-files.js";
import { nameInForm } from "../body/form-names.js";
import { createWriterCompiler } from "../response/json-writer.js";
import type { FindWriter } from "../response/replies.js";
import type { FormDescriptor, OperationDescriptor } from "../operation.js";
import { toKey } from "../parameters/parameter-name.js";
import { compileParameters } from "./parameter-validator.js";
import { findForm, findValidated } from "../body/request-content.js";
import { compileResponseCheck, type ResponseCheck } from "./response-check.js";
import { toValidationError } from "./validation-problems.js";
import { Values } from "../parameters/values.js";

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
  /** Writers of the response's JSON. */
  readonly findWriter: FindWriter;
}

/**
 * Prepares a contract for enforcement.
 * @returns a function that compiles the validators of one of the operations, which takes milliseconds.
 * @throws when the document is not OpenAPI as far as it is enforced, or lacks an operation.
 */
export function createValidatorCompiler(
  document: ContractDocument,
  operations: readonly OperationDescriptor[],
): (operation: OperationDescriptor) => OperationValidator {
  const responses = enforceResponses(document, operations);
  const requests = enforceRequests(document, operations);
  const eov = createEov(document.openapi, requests.schemas, responses.schemas);
  const compileWriter = createWriterCompiler(responses.schemas);
  return (operation) => {
    const request = requests.operations.get(operation);
    const response = responses.operations.get(operation);
    if (request === undefined || response === undefined) throw new Error(`No operation "${operation.id}"`);
    return compileOperation(operation, { request, response, eov, compileWriter });
  };
}

interface Sides {
  readonly request: EnforcedRequest;
  readonly response: EnforcedResponses;
  readonly eov: Eov;
  readonly compileWriter: ReturnType<typeof createWriterCompiler>;
}

function compileOperation(
  operation: OperationDescriptor,
  { request, response, eov, compileWriter }: Sides,
): OperationValidator {
  const validateParameters = compileParameters(operation, request.parameters, eov.compileRequest);
  const validateBody = new Map(
    findValidated(operation, request.content).map(([name, schema]) => [
      name,
      // In an object, so that its defaults are put in wherever they stand.
      eov.compileRequest({ type: "object", properties: { body: schema } }),
    ]),
  );
  const toPlaces = createPlaces(operation);
  return {
    request({ parameters, mediaType, body: sent }) {
      const parameterProblems = validateParameters(parameters);
      if (mediaType === undefined && parameterProblems.length === 0) return toPlaces(parameters, sent);
      const form = findForm(operation, mediaType);
      const described = form ? withoutFiles(sent as Form) : sent;
      const validate = mediaType === undefined ? undefined : validateBody.get(mediaType);
      const bodyProblems = (validate?.({ body: described }) ?? []).map(({ path: [, ...path], text }) => ({
        in: "body" as const,
        path,
        subject: nameInBody(path, form),
        text,
      }));
      const problems = [...parameterProblems, ...bodyProblems];
      if (problems.length > 0) throw toValidationError(problems);
      return toPlaces(parameters, form ? withFiles(described as Form, sent as Form) : described);
    },

    response: compileResponseCheck(operation, response, eov),
    findWriter(key, mediaType) {
      const declared = response.get(key)?.content.get(mediaType);
      return declared && compileWriter(declared.schema);
    },
  };
}

/** `Field "tags/0"`; in a form as its sender wrote it. */
function nameInBody(path: readonly string[], form: FormDescriptor | undefined): string {
  const [name, ...inner] = path;
  if (name === undefined) return "The body";
  return form ? nameInForm(form, name, inner) : `Field "${path.join("/")}"`;
}

/** Puts parameters where handlers look for them. */
function createPlaces({
  parameters,
}: OperationDescriptor): (values: Readonly<Record<string, unknown>>, body: unknown) => RequestValues {
  const places = parameters.map((parameter) => {
    const key = toKey(parameter);
    return { key, place: parameter.in, name: key.slice(parameter.in.length + 1) };
  });
  const has = (wanted: string): boolean => places.some(({ place }) => place === wanted);
  const [hasPath, hasQuery, hasHeader, hasCookie] = ["path", "query", "header", "cookie"].map(has);
  return (values, body) => {
    const path = hasPath === true ? new Values() : NONE;
    const query = hasQuery === true ? new Values() : NONE;
    const headers = hasHeader === true ? new Values() : NONE;
    const cookies = hasCookie === true ? new Values() : NONE;
    const by = { path, query, header: headers, cookie: cookies };
    for (const { key, place, name } of places) if (key in values) by[place][name] = values[key];
    return { path, query, headers, cookies, body };
  };
}

const NONE = Object.freeze(new Values());
