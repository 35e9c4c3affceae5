import { endsBeforeStart, findUnreadable, notableLifecycle, readLifecycle } from "../document/lifecycle.js";
import { getItems, getMembers, type Located, type Node, toText } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import { toMediaKind } from "../http/media-type.js";
import { findAllowed } from "../parameters/allowed-types.js";
import { defaultStyle, type ParameterLocation } from "../parameters/style.js";
import type { Schema } from "../schema/schema.js";
import { buildExamples, reportMediaType } from "./build-content.js";
import { reportHeaderName } from "./build-security.js";
import { buildStyledType } from "./build-styled-type.js";
import { type BuildContext, readSchema, resolve } from "./context.js";
import type { Parameter, ResponseHeader } from "./contract.js";

/** OpenAPI ignores header parameters of these names: other parts of the contract describe them. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/**
 * Builds an operation's parameters: the path item's first, each replaced by the operation's of the same name and location.
 * @see https://spec.openapis.org/oas/v3.1.0#parameter-object
 */
export function buildParameters(
  pathItem: Located,
  operation: Located,
  context: BuildContext,
): readonly Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const reference of [...getItems(pathItem, "parameters"), ...getItems(operation, "parameters")]) {
    const located = resolve(reference, context);
    const parameter = located && buildParameter(located, context);
    if (parameter === undefined) continue;
    if (parameter.in === "header" && IGNORED_HEADERS.has(parameter.name.toLowerCase())) continue;
    parameters.set(toParameterKey(parameter), parameter);
  }
  return [...parameters.values()];
}

/** What distinguishes a parameter from the others of its operation: `query/limit`. Names of headers are in lower case. */
export function toParameterKey({ in: location, name }: Pick<Parameter, "in" | "name">): string {
  return `${location}/${location === "header" ? name.toLowerCase() : name}`;
}

function buildParameter(located: Located, context: BuildContext): Parameter | undefined {
  const { node, pointer } = located;
  const name = toText(node["name"]);
  const location = node["in"];
  if (name === undefined || !isLocation(location)) return undefined;
  const owner: Owner = { in: location, label: `parameter "${name}"` };
  reportHeaderName(located, "the parameter", context.report);
  reportLifecycle(located, context);
  const [mediaType] = getMembers(located, "content");
  const read = mediaType ? buildContent(mediaType, owner, context) : buildStyled(located, owner, context);
  return {
    pointer,
    name,
    in: location,
    ...buildAnnotations(node),
    required: node["required"] === true || location === "path",
    ...read,
    allowReserved: node["allowReserved"] === true,
    examples: [...buildExamples(located, context), ...(mediaType ? buildExamples(mediaType, context) : [])],
  };
}

function isLocation(value: unknown): value is ParameterLocation {
  return value === "path" || value === "query" || value === "header" || value === "cookie";
}

interface Owner extends Pick<Parameter, "in"> {
  readonly label: string;
}

type Read = Pick<Parameter, "schema" | "hasDefault" | "allowEmptyValue" | "style" | "explode" | "type"> &
  Partial<Pick<Parameter, "opaque" | "mediaType">>;

function buildStyled(located: Located, { in: location, label }: Owner, context: BuildContext): Read {
  const schema = readSchema(located, "schema", context);
  return {
    schema,
    hasDefault: hasDefault(schema, context),
    allowEmptyValue:
      location === "query" && (located.node["allowEmptyValue"] === true || allowsEmpty(schema, context)),
    ...buildStyledType(located, { location, label, schema }, context),
  };
}

/** `content` with JSON has the type that its schema says. Of anything else nothing is known but its text. */
function buildContent(
  mediaType: Located & { readonly name: string },
  { in: location, label }: Owner,
  context: BuildContext,
): Read {
  const style = defaultStyle(location);
  const schema = readSchema(mediaType, "schema", context);
  const own = { style, explode: style === "form", allowEmptyValue: false, mediaType: mediaType.name };
  const isMediaType = reportMediaType(mediaType, `Cannot read the ${label}`, context);
  if (toMediaKind(mediaType.name) === "json")
    return { ...own, schema, hasDefault: hasDefault(schema, context), type: "json" };

  const types = findAllowed(schema, context.registry)?.plain;
  const opaque = types !== undefined && !types.includes("string");
  if (isMediaType) {
    const unused = opaque ? ", and its schema is not used" : "";
    const message = `The ${label} is read as a string, because ${mediaType.name} is not JSON${unused}`;
    const hint = "Write `schema: { type: string }` instead of `content`, which says the same";
    context.report("parameter-text", mediaType.pointer, message, hint);
  }
  const text = { ...own, type: "string" } as const;
  const string: Schema = { pointer: schema.pointer, type: ["string"] };
  if (opaque) return { ...text, schema: string, hasDefault: false, opaque };
  const defaulted = hasDefault(schema, context);
  // A default may be anything that the schema allows.
  const isText = types === undefined && !defaulted;
  return { ...text, schema: isText ? string : schema, hasDefault: defaulted };
}

/** Whether the schema names the empty text as one of its values. */
function allowsEmpty(schema: Schema, context: BuildContext, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { enum: values = [], allOf = [], oneOf = [], anyOf = [], reference } = schema;
  const target = reference === undefined ? [] : [context.registry.get(reference)];
  const parts = [...target, ...allOf, ...oneOf, ...anyOf];
  return values.includes("") || parts.some((part) => allowsEmpty(part, context, seen));
}

/** Builds the headers that a response declares. `Content-Type` is ignored there: the media types say it. */
export function buildHeaders(response: Located, context: BuildContext): readonly ResponseHeader[] {
  return getMembers(response, "headers").flatMap(({ name, ...reference }) => {
    const header = resolve(reference, context);
    if (header === undefined || name.toLowerCase() === "content-type") return [];
    reportLifecycle(header, context);
    const [mediaType] = getMembers(header, "content");
    return {
      pointer: header.pointer,
      name,
      ...buildAnnotations(header.node),
      required: header.node["required"] === true,
      schema: readSchema(mediaType ?? header, "schema", context),
      explode: header.node["explode"] === true,
      ...(mediaType && { mediaType: mediaType.name }),
      examples: [...buildExamples(header, context), ...(mediaType ? buildExamples(mediaType, context) : [])],
    };
  });
}

function buildAnnotations(node: Node) {
  const description = toText(node["description"]);
  return { ...(description !== undefined && { description }), ...notableLifecycle(node) };
}

/** Unlike a property's, a parameter's default counts behind a reference too: the validator applies it. */
function hasDefault(schema: Schema, { registry }: BuildContext): boolean {
  return "default" in schema || "default" in registry.resolve(schema);
}

/** Reports what an operation, parameter or header says of its end in a way that cannot be read, or that cannot be. */
export function reportLifecycle({ node, pointer }: Located, { report }: Pick<BuildContext, "report">): void {
  for (const { key, value, wanted } of findUnreadable(node)) {
    // A level that is not known promises nothing; the lint rule `stability-known` reports it.
    if (key === "x-stability-level") continue;
    const code = key === "x-replaced-by" ? "replaced-by-unknown" : "date-invalid";
    report(code, joinPointer(pointer, key), `${key} must be ${wanted}, found ${JSON.stringify(value)}`);
  }
  if (endsBeforeStart(readLifecycle(node))) {
    const message = "x-sunset must not be earlier than x-deprecated-since";
    report("date-invalid", joinPointer(pointer, "x-sunset"), message);
  }
}
