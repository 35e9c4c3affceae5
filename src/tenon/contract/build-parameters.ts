import { buildSchema } from "./build-schema.js";
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
import type { Parameter, ResponseHeader } from "./model.js";

/** OpenAPI ignores header parameters of these names: other parts of the contract describe them. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/**
 * Builds an operation's parameters: the path item's first, each replaced by the operation's of the same name and place.
 * @see https://spec.openapis.org/oas/v3.1.0#parameter-object
 */
export function buildParameters(
  pathItem: Located,
  operation: Located,
  context: DocumentContext,
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

function buildParameter(located: Located, context: DocumentContext): Parameter | undefined {
  const { node } = located;
  const name = toText(node["name"]);
  const where = node["in"];
  if (
    name === undefined ||
    (where !== "path" && where !== "query" && where !== "header" && where !== "cookie")
  ) {
    return undefined;
  }
  return {
    name,
    in: where,
    ...buildAnnotations(node),
    required: node["required"] === true || where === "path",
    hasDefault: hasDefault(located, context),
    ...buildValue(located, context),
  };
}

/** Builds the headers that a response declares. `Content-Type` is ignored there: the media types say it. */
export function buildHeaders(response: Located, context: DocumentContext): readonly ResponseHeader[] {
  return members(response, "headers").flatMap(({ name, ...reference }) => {
    const located = resolve(reference, context);
    if (located === undefined || name.toLowerCase() === "content-type") return [];
    const { schema } = buildValue(located, context);
    return [{ name, ...buildAnnotations(located.node), required: located.node["required"] === true, schema }];
  });
}

function buildAnnotations(node: Located["node"]) {
  const description = toText(node["description"]);
  return { ...(description !== undefined && { description }), deprecated: node["deprecated"] === true };
}

/** A parameter or header has a `schema`, or a `content` with one media type that has it. */
function buildValue(located: Located, context: DocumentContext) {
  const [mediaType] = members(located, "content");
  return { schema: buildSchema(mediaType ?? located, "schema", context), content: mediaType !== undefined };
}

/** Unlike a property's, a parameter's default counts behind a `$ref` too: the validator applies it. */
function hasDefault(located: Located, context: DocumentContext): boolean {
  const schema = getOwn(located.node, "schema");
  if (!isNode(schema)) return false;
  if (getOwn(schema, "default") !== undefined) return true;
  const target = resolve({ node: schema, pointer: joinPointer(located.pointer, "schema") }, context);
  return target !== undefined && getOwn(target.node, "default") !== undefined;
}
