import { buildSchema } from "./build-schema.js";
import { buildValueType, UnreadableSchema } from "./build-value-type.js";
import {
  type DocumentContext,
  getOwn,
  isNode,
  items,
  joinPointer,
  type Located,
  members,
  resolve,
  toText,
} from "./document.js";
import type { NamedSchema, Parameter, ParameterStyle, ResponseHeader, Schema, ValueType } from "./model.js";
import { defaultStyle, findStyleProblem } from "./parameter-style.js";

/** OpenAPI ignores header parameters of these names: other parts of the contract describe them. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

const JSON_MEDIA_TYPE = /^application\/(?:[^\s;/]+\+)?json(?:\s*;.*)?$/i;

/** What a parameter's schema may refer to, besides the document that it is in. */
export interface ParameterContext extends DocumentContext {
  readonly schemas: ReadonlyMap<string, NamedSchema>;
}

/**
 * Builds an operation's parameters: the path item's first, each replaced by the operation's of the same name and place.
 * @see https://spec.openapis.org/oas/v3.1.0#parameter-object
 */
export function buildParameters(
  pathItem: Located,
  operation: Located,
  context: ParameterContext,
): readonly Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const reference of [...items(pathItem, "parameters"), ...items(operation, "parameters")]) {
    const located = resolve(reference, context);
    const parameter = located && buildParameter(located, context);
    if (parameter === undefined) continue;
    const key = parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name;
    if (parameter.in === "header" && IGNORED_HEADERS.has(key)) continue;
    parameters.set(`${parameter.in} ${key}`, parameter);
  }
  return [...parameters.values()];
}

function buildParameter(located: Located, context: ParameterContext): Parameter | undefined {
  const { node } = located;
  const name = toText(node["name"]);
  const where = node["in"];
  if (
    name === undefined ||
    (where !== "path" && where !== "query" && where !== "header" && where !== "cookie")
  ) {
    return undefined;
  }
  const [mediaType] = members(located, "content");
  const schema = buildSchema(mediaType ?? located, "schema", context);
  const style = (toText(node["style"]) as ParameterStyle | undefined) ?? defaultStyle(where);
  const explode = typeof node["explode"] === "boolean" ? node["explode"] : style === "form";
  const parameter: Typed["parameter"] = { name, in: where, style, explode };
  return {
    ...parameter,
    ...buildAnnotations(node),
    required: node["required"] === true || where === "path",
    hasDefault: hasDefault(mediaType ?? located, context),
    allowEmptyValue: where === "query" && node["allowEmptyValue"] === true,
    schema,
    type: mediaType
      ? buildContentType(mediaType, { name, context })
      : buildType(located, { parameter, schema, context }),
  };
}

function buildContentType(
  { name: mediaType, pointer }: Located & { readonly name: string },
  { name, context }: { readonly name: string; readonly context: ParameterContext },
): "json" {
  if (!JSON_MEDIA_TYPE.test(mediaType)) {
    context.report(
      "parameter-style",
      pointer,
      `Cannot read the parameter "${name}": ${mediaType} is no JSON`,
    );
  }
  return "json";
}

interface Typed {
  readonly parameter: Pick<Parameter, "name" | "in" | "style" | "explode">;
  readonly schema: Schema;
  readonly context: ParameterContext;
}

function buildType({ node, pointer }: Located, { parameter, schema, context }: Typed): ValueType {
  const report = (key: string, what: string): ValueType => {
    const hint = 'Use a style that OpenAPI defines for the type ("Style Examples"), or `content` with JSON';
    const message = `Cannot read the parameter "${parameter.name}": ${what}`;
    context.report("parameter-style", joinPointer(pointer, key), message, hint);
    return "string";
  };
  try {
    const type = buildValueType(schema, context.schemas);
    const problem = findStyleProblem(parameter, type);
    return problem === undefined ? type : report(node["style"] === undefined ? "schema" : "style", problem);
  } catch (error) {
    if (error instanceof UnreadableSchema) return report("schema", `the value ${error.message}`);
    throw error;
  }
}

/** Builds the headers that a response declares. `Content-Type` is ignored there: the media types say it. */
export function buildHeaders(response: Located, context: DocumentContext): readonly ResponseHeader[] {
  return members(response, "headers").flatMap(({ name, ...reference }) => {
    const located = resolve(reference, context);
    if (located === undefined || name.toLowerCase() === "content-type") return [];
    const [mediaType] = members(located, "content");
    const schema = buildSchema(mediaType ?? located, "schema", context);
    return [{ name, ...buildAnnotations(located.node), required: located.node["required"] === true, schema }];
  });
}

function buildAnnotations(node: Located["node"]) {
  const description = toText(node["description"]);
  return { ...(description !== undefined && { description }), deprecated: node["deprecated"] === true };
}

/** Unlike a property's, a parameter's default counts behind a `$ref` too: the validator applies it. */
function hasDefault(located: Located, context: DocumentContext): boolean {
  const schema = getOwn(located.node, "schema");
  if (!isNode(schema)) return false;
  if (getOwn(schema, "default") !== undefined) return true;
  const target = resolve({ node: schema, pointer: joinPointer(located.pointer, "schema") }, context);
  return target !== undefined && getOwn(target.node, "default") !== undefined;
}
