import { findAllowed } from "./allowed-kinds.js";
import { buildSchema } from "./build-schema.js";
import { buildStyledType } from "./build-styled-type.js";
import { type DocumentContext, isNode, items, type Located, members, resolve, toText } from "./document.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { toMediaKind } from "../http/media-type.js";
import { reportHeaderName } from "./header-name.js";
import { notableLifecycle } from "../document/lifecycle.js";
import { reportLifecycle } from "./report-lifecycle.js";
import { reportMediaType } from "./media-type-problem.js";
import type { NamedSchema, Parameter, ResponseHeader, Schema } from "./model.js";
import { defaultStyle } from "./parameter-style.js";

/** OpenAPI ignores header parameters of these names: other parts of the contract describe them. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

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
  const owner: Owner = { in: where, label: `parameter "${name}"` };
  reportHeaderName(located, "the parameter", context.report);
  reportLifecycle(located, context);
  const [mediaType] = members(located, "content");
  return {
    name,
    in: where,
    ...buildAnnotations(node),
    required: node["required"] === true || where === "path",
    ...(mediaType ? buildContent(mediaType, owner, context) : buildStyled(located, owner, context)),
  };
}

interface Owner extends Pick<Parameter, "in"> {
  readonly label: string;
}

type Read = Pick<Parameter, "schema" | "hasDefault" | "allowEmptyValue" | "style" | "explode" | "type"> &
  Pick<Parameter, "opaque">;

function buildStyled(located: Located, { in: place, label }: Owner, context: ParameterContext): Read {
  const schema = buildSchema(located, "schema", context);
  return {
    schema,
    hasDefault: hasDefault(located, context),
    allowEmptyValue:
      place === "query" && (located.node["allowEmptyValue"] === true || allowsEmpty(schema, context.schemas)),
    ...buildStyledType(located, { place, label, schema }, context),
  };
}

/** `content` with JSON has the type that its schema says. Of anything else nothing is known but its text. */
function buildContent(
  mediaType: Located & { readonly name: string },
  { in: place, label }: Owner,
  context: ParameterContext,
): Read {
  const style = defaultStyle(place);
  const schema = buildSchema(mediaType, "schema", context);
  const own = { style, explode: style === "form", allowEmptyValue: false };
  const isMediaType = reportMediaType(mediaType, `Cannot read the ${label}`, context);
  if (toMediaKind(mediaType.name) === "json")
    return { ...own, schema, hasDefault: hasDefault(mediaType, context), type: "json" };

  const types = findAllowed(schema, context.schemas)?.plain;
  const opaque = types !== undefined && !types.includes("string");
  if (isMediaType) {
    const judged = opaque ? ", and its schema does not judge it" : "";
    const message = `The ${label} is read as a string, because ${mediaType.name} is not JSON${judged}`;
    const hint = "Write `schema: { type: string }` instead of `content`, which says the same";
    context.report("parameter-text", mediaType.pointer, message, hint);
  }
  const text = { ...own, type: "string" } as const;
  if (opaque) return { ...text, schema: { types: ["string"] }, hasDefault: false, opaque };
  const defaulted = hasDefault(mediaType, context);
  // A default may be anything that the schema allows.
  const isText = types === undefined && !defaulted;
  return { ...text, schema: isText ? { types: ["string"] } : schema, hasDefault: defaulted };
}

/** Whether the schema names the empty text as one of its values. */
function allowsEmpty(
  schema: Schema,
  schemas: ParameterContext["schemas"],
  seen = new Set<Schema>(),
): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const target = schema.reference === undefined ? undefined : schemas.get(schema.reference)?.schema;
  const { enum: values = [], allOf = [], oneOf = [], anyOf = [] } = schema;
  const parts = [...(target ? [target] : []), ...allOf, ...oneOf, ...anyOf];
  return values.includes("") || parts.some((part) => allowsEmpty(part, schemas, seen));
}

/** Builds the headers that a response declares. `Content-Type` is ignored there: the media types say it. */
export function buildHeaders(response: Located, context: DocumentContext): readonly ResponseHeader[] {
  return members(response, "headers").flatMap(({ name, ...reference }) => {
    const located = resolve(reference, context);
    if (located === undefined || name.toLowerCase() === "content-type") return [];
    reportLifecycle(located, context);
    const [mediaType] = members(located, "content");
    const schema = buildSchema(mediaType ?? located, "schema", context);
    return [{ name, ...buildAnnotations(located.node), required: located.node["required"] === true, schema }];
  });
}

function buildAnnotations(node: Located["node"]) {
  const description = toText(node["description"]);
  return { ...(description !== undefined && { description }), ...notableLifecycle(node) };
}

/** Unlike a property's, a parameter's default counts behind a `$ref` too: the validator applies it. */
function hasDefault(located: Located, context: DocumentContext): boolean {
  const schema = getOwn(located.node, "schema");
  if (!isNode(schema)) return false;
  if (getOwn(schema, "default") !== undefined) return true;
  const target = resolve({ node: schema, pointer: joinPointer(located.pointer, "schema") }, context);
  return target !== undefined && getOwn(target.node, "default") !== undefined;
}
