import {
  type Contract,
  type Items,
  type Operation,
  type Parameter,
  toParameterKey,
} from "../../core/model/index.js";
import { NullObject } from "../../core/document/null-object.js";
import { findUnrestricted, type FormValues, withFiles, withoutFiles } from "../body/form-files.js";
import { nameInForm } from "../body/form.js";
import { type SentItem, SentItems } from "../body/sent-items.js";
import { findBodySchema, findForm } from "../body/request-content.js";
import { locateValue } from "../parameters/names.js";
import type { SideValidator, Validators } from "./side-validator.js";
import {
  compileRemoval,
  createResponseCheck,
  type RemoveFromResponse,
  type ResponseCheck,
} from "./response-check.js";
import type { HttpError } from "../errors/http-error.js";
import type { SchemaProblem } from "../../core/validation/index.js";
import { compileByPosition, compileItems, createItemsCheck, type FindItems } from "./item-check.js";
import { createSideSchemas, type SideSchemas } from "./schemas.js";
import type { Schema } from "../../core/schema/index.js";
import { createUndeclaredCompiler } from "./undeclared.js";
import { atPlace, toValidationError, type ValidationProblem } from "../errors/validation-problems.js";

/** The values that a handler gets, with the contract's types and defaults, by the contract's names; header names are in lower case. */
export interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The whole query, under the name of its parameter. Present if the contract declares a parameter `in: querystring`. */
  readonly querystring?: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A request before it is validated. */
export interface ReadRequest {
  /** Values by `toParameterKey`; defaults are put in here. */
  readonly parameters: Record<string, unknown>;
  /** The declared media type that the body was recognised as; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
}

export interface OperationValidator {
  /**
   * Applies defaults and validates.
   * @returns an error `invalid_parameter` or `invalid_body`, with every problem in the message. It is not thrown, because that takes
   *   longer than the validation.
   */
  request(request: ReadRequest): RequestValues | HttpError;
  /** Problems of a response's status, body and headers; empty when it is as declared. */
  readonly response: ResponseCheck;
  readonly removeUndeclared: RemoveFromResponse;
  readonly findItems: FindItems;
  /** Problems of the items of a response, if they are all there. */
  readonly items: ResponseCheck;
}

/**
 * Prepares a contract for enforcement.
 * @param validators Those of the place where the runtime runs: `createEov`, or `createInterpreter` where code must not be evaluated.
 * @returns a function that compiles the validators of one of its operations, which takes milliseconds.
 */
export function createOperationValidators(
  { registry }: Contract,
  { request: defaulting, response }: Validators,
): (operation: Operation) => OperationValidator {
  const fromClients = { schemas: createSideSchemas(registry, "request", defaulting), validator: defaulting };
  const responses = createSideSchemas(registry, "response", response);
  const compileUndeclared = createUndeclaredCompiler({ registry, schemas: responses, validator: response });
  return (operation) => {
    // A webhook has what a service sends: `readOnly` properties, and no defaults that a receiver puts in.
    const { schemas: requests, validator: request } =
      operation.outgoing === undefined ? fromClients : { schemas: responses, validator: response };
    const validateParameters = compileParameters(operation, requests, request, registry);
    const bodies = new Map(
      operation.requestBody?.mediaTypes.flatMap((mediaType) => {
        const schema = findBodySchema(mediaType, registry);
        return schema ? [[mediaType.name, request.compileValue(requests.write(schema))] as const] : [];
      }),
    );
    const unrestricted = new Map(
      operation.requestBody?.mediaTypes.flatMap(({ name, schema, form }) =>
        typeof form === "object" ? [[name, findUnrestricted(schema, form.fields, registry)] as const] : [],
      ),
    );
    const items = new Map(
      operation.requestBody?.mediaTypes.flatMap(({ name, items: declared }) =>
        declared
          ? [[name, compileItem(declared, (schema) => request.compileValue(requests.write(schema)))] as const]
          : [],
      ),
    );
    const parts = new Set<string | undefined>(
      operation.requestBody?.mediaTypes.flatMap((mediaType) =>
        mediaType.items?.parts ? [mediaType.name] : [],
      ),
    );
    const toValues = createValues(operation);
    const findItems = compileItems(operation, {
      schemas: responses,
      validator: response,
      compile: compileUndeclared,
    });
    return {
      request({ parameters, mediaType, body: sent }) {
        const parameterProblems = validateParameters(parameters);
        if (mediaType === undefined && parameterProblems.length === 0) return toValues(parameters, sent);
        const validateItem = mediaType === undefined ? undefined : items.get(mediaType);
        if (sent instanceof SentItems && validateItem !== undefined) {
          if (parameterProblems.length > 0) return toValidationError(parameterProblems);
          return toValues(parameters, sent.read(validateItem));
        }
        const form = findForm(operation.requestBody, mediaType);
        const described = form
          ? withoutFiles(sent as FormValues, unrestricted.get(mediaType ?? "") ?? new Map())
          : sent;
        const validate = mediaType === undefined ? undefined : bodies.get(mediaType);
        const bodyProblems = (validate?.(described) ?? []).map((problem) => {
          const { path } = problem;
          const [name, ...inner] = path;
          const subject =
            name === undefined
              ? "The body"
              : form
                ? nameInForm(form, name, inner)
                : parts.has(mediaType)
                  ? nameInPart(name, inner)
                  : `Field "${path.join("/")}"`;
          return atPlace({ in: "body", path, subject }, problem);
        });
        const problems = [...parameterProblems, ...bodyProblems];
        if (problems.length > 0) return toValidationError(problems);
        return toValues(
          parameters,
          form ? withFiles(described as FormValues, sent as FormValues) : described,
        );
      },

      response: createResponseCheck(operation, responses, response),
      removeUndeclared: compileRemoval(operation, compileUndeclared),
      findItems,
      items: createItemsCheck(findItems),
    };
  };
}

/** Puts defaults into parameter values, which go by `toParameterKey`, and validates them; nothing is coerced. */
type ParameterValidator = (values: Record<string, unknown>) => readonly ValidationProblem[];

function compileParameters(
  { parameters }: Operation,
  schemas: SideSchemas,
  validator: SideValidator,
  registry: Contract["registry"],
): ParameterValidator {
  const byKey = new Map(parameters.map((parameter) => [toParameterKey(parameter), parameter]));
  const properties = [...byKey].map(([key, { schema }]): [string, object] => {
    const written = schemas.write(schema);
    const usual = "default" in schema ? schema : registry.resolve(schema);
    return [
      key,
      {
        ...(typeof written === "boolean" ? { allOf: [written] } : written),
        // The validator applies defaults that are here, and a parameter's counts behind a reference too.
        ...("default" in usual && { default: usual.default }),
      },
    ];
  });
  const validate = validator.compile({
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...byKey].flatMap(([key, { required }]) => (required ? [key] : [])),
  });
  return (values) =>
    validate(values).flatMap((problem) => {
      const [key = "", ...inner] = problem.path;
      const parameter = byKey.get(key);
      return parameter === undefined ? [] : [atPlace(locateValue(parameter, inner), problem)];
    });
}

type Validate = (value: unknown) => readonly SchemaProblem[];

/** @returns Puts defaults into an item and validates it. */
function compileItem(items: Items, compile: (schema: Schema) => Validate): (item: SentItem) => void {
  const find = compileByPosition(items, compile);
  return ({ value, index, place }) => {
    const problems = find(index)(value).map((problem) => {
      const { path } = problem;
      const subject = path.length === 0 ? place : `${place}, field "${path.join("/")}"`;
      return atPlace({ in: "body", path: [String(index), ...path], subject }, problem);
    });
    if (problems.length > 0) throw toValidationError(problems);
  };
}

/** Names a value as the sender of a part sees it: `1`, `value`, `name` is `Part 2, field "name"`. */
function nameInPart(index: string, [member, ...inner]: readonly string[]): string {
  const place = `Part ${Number(index) + 1}`;
  if (member === "headers") return `${place}, header "${inner.join("/")}"`;
  return inner.length === 0 ? place : `${place}, field "${inner.join("/")}"`;
}

/** Puts parameters where handlers look for them. */
function createValues({
  parameters,
}: Operation): (values: Readonly<Record<string, unknown>>, body: unknown) => RequestValues {
  const inLocation = (location: Parameter["in"]) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map((parameter) => {
        const key = toParameterKey(parameter);
        return { key, name: key.slice(location.length + 1) };
      });
  const [path, query, headers, cookies] = [
    inLocation("path"),
    inLocation("query"),
    inLocation("header"),
    inLocation("cookie"),
  ];
  const querystring = inLocation("querystring");
  return (values, body) => {
    const request = {
      path: pick(values, path),
      query: pick(values, query),
      headers: pick(values, headers),
      cookies: pick(values, cookies),
      body,
    };
    return querystring.length === 0 ? request : { ...request, querystring: pick(values, querystring) };
  };
}

/** Returns the values under other names, those that are there. */
function pick(
  values: Readonly<Record<string, unknown>>,
  members: readonly { readonly key: string; readonly name: string }[],
): Readonly<Record<string, unknown>> {
  if (members.length === 0) return NONE;
  const picked = new NullObject();
  for (const { key, name } of members) {
    const value = values[key];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

const NONE = Object.freeze(new NullObject());
