import { endsBeforeStart, findInvalidExtensions, readLasting, readLifecycle } from "../document/lifecycle.js";
import { getItems, getMembers, type Located, type Node, pickTexts, toText } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import { toMediaKind } from "../http/media-type.js";
import { findAllowed } from "../parameters/allowed-types.js";
import { defaultStyle, explodesByDefault, type ParameterLocation } from "../parameters/style.js";
import type { Schema } from "../schema/schema.js";
import { buildEncoding, buildExamples, reportMediaType } from "./build-content.js";
import { buildForm } from "./build-form.js";
import { reportHeaderName } from "./build-security.js";
import { buildStyledType } from "./build-styled-type.js";
import { type BuildContext, getContent, type LocatedMediaType, readSchema, resolve } from "./context.js";
import type { ResponseHeader } from "./content.js";
import type { DeclaredParameter, Parameter } from "./contract.js";

/** OpenAPI ignores header parameters of these names: other parts of the contract describe them. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/**
 * Builds the parameters that an operation or a path item declares.
 * @see https://spec.openapis.org/oas/v3.1.0#parameter-object
 */
export function buildParameters(owner: Located, context: BuildContext): readonly Parameter[] {
  return getItems(owner, "parameters").flatMap((reference) => toParameters(reference, context));
}

/** Merges parameters: the path item's first, each replaced by the operation's with the same name and location. */
export function mergeParameters(
  shared: readonly Parameter[],
  own: readonly Parameter[],
): readonly Parameter[] {
  const parameters = new Map([...shared, ...own].map((one) => [toParameterKey(one), one]));
  return [...parameters.values()];
}

/** Reports a parameter `in: querystring` beside another, or beside those of a query. */
export function reportQuerystring(parameters: readonly Parameter[], { report }: BuildContext): void {
  const [first, second] = parameters.filter((parameter) => parameter.in === "querystring");
  const other = second ?? parameters.find((parameter) => parameter.in === "query");
  if (first === undefined || other === undefined) return;
  const message = `The parameter "${first.name}" is the whole query string; "${other.name}" cannot be in it, too`;
  report("querystring-invalid", other.declaredAt, message);
}

/** @returns one parameter, or none if the reference cannot be resolved or OpenAPI ignores the parameter. */
export function toParameters(reference: Located, context: BuildContext): readonly Parameter[] {
  const located = resolve(reference, context);
  const parameter = located && buildParameter(located, context);
  const isIgnored = parameter?.in === "header" && IGNORED_HEADERS.has(parameter.name.toLowerCase());
  return parameter === undefined || isIgnored ? [] : [{ ...parameter, declaredAt: reference.pointer }];
}

/** Returns the unique key of a parameter within its operation: `query/limit`. Names of headers are in lower case. */
export function toParameterKey({ in: location, name }: Pick<Parameter, "in" | "name">): string {
  return `${location}/${location === "header" ? name.toLowerCase() : name}`;
}

function buildParameter(located: Located, context: BuildContext): Omit<Parameter, "declaredAt"> | undefined {
  const { node, pointer } = located;
  const name = toText(node["name"]);
  const location = node["in"];
  if (name === undefined || !isLocation(location)) return undefined;
  const owner: Owner = { in: location, label: `parameter "${name}"` };
  reportHeaderName(located, "the parameter", context.report);
  reportLifecycle(located, context);
  const [mediaType] = getContent(located, context);
  if (location === "querystring" && mediaType === undefined) {
    const message = `The ${owner.label} is the whole query string and must have \`content\``;
    const hint = "Describe it as application/x-www-form-urlencoded, application/json or text/plain";
    context.report("querystring-invalid", pointer, message, hint);
    return undefined;
  }
  const read = mediaType ? buildContent(mediaType, owner, context) : buildStyled(located, owner, context);
  return {
    pointer,
    name,
    in: location,
    ...buildAnnotations(node),
    required: node["required"] === true || location === "path",
    ...read,
    allowReserved: node["allowReserved"] === true && canReserve(location, read.style, context),
    declared: readDeclared(mediaType ?? located, located, location, context),
    examples: [...buildExamples(located, context), ...(mediaType ? buildExamples(mediaType, context) : [])],
  };
}

/** Tests whether `allowReserved` has an effect: since OpenAPI 3.2 wherever values are escaped, before only in a query. */
function canReserve(
  location: ParameterLocation,
  style: string,
  { source }: Pick<BuildContext, "source">,
): boolean {
  if (location === "query") return true;
  return source.dialect === "3.2" && (location === "path" || (location === "cookie" && style === "form"));
}

function readDeclared(
  schemaOwner: Located,
  { node }: Located,
  location: ParameterLocation,
  context: BuildContext,
): DeclaredParameter {
  const style = toText(node["style"]) ?? defaultStyle(location);
  return {
    style,
    explode: typeof node["explode"] === "boolean" ? node["explode"] : explodesByDefault(style),
    schema: readSchema(schemaOwner, "schema", context),
    allowEmptyValue: location === "query" && node["allowEmptyValue"] === true,
  };
}

const LOCATIONS = ["path", "query", "querystring", "header", "cookie"] as const;

function isLocation(value: unknown): value is ParameterLocation {
  return LOCATIONS.some((location) => location === value);
}

interface Owner extends Pick<Parameter, "in"> {
  readonly label: string;
}

type Read = Pick<Parameter, "schema" | "hasDefault" | "allowEmptyValue" | "style" | "explode" | "type"> &
  Partial<Pick<Parameter, "opaque" | "mediaType" | "form">>;

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

/** Builds a parameter with `content`. JSON has the type of its schema; any other media type is read as text. */
function buildContent(
  mediaType: LocatedMediaType,
  { in: location, label }: Owner,
  context: BuildContext,
): Read {
  const style = defaultStyle(location);
  const schema = readSchema(mediaType, "schema", context);
  const own = { style, explode: style === "form", allowEmptyValue: false, mediaType: mediaType.name };
  const isMediaType = reportMediaType(mediaType, `Cannot read the ${label}`, context);
  if (toMediaKind(mediaType.name) === "json")
    return { ...own, schema, hasDefault: hasDefault(schema, context), type: "json" };

  if (location === "querystring" && toMediaKind(mediaType.name) === "form") {
    const encoding = buildEncoding(mediaType, context);
    const form = buildForm(
      { pointer: mediaType.pointer, label: `the ${label}`, kind: "form", schema, encoding },
      context,
    );
    if (typeof form === "object") return { ...own, schema, hasDefault: false, type: "string", form };
  }
  const types = findAllowed(schema, context.registry)?.plain;
  const opaque = types !== undefined && !types.includes("string");
  if (isMediaType && (location !== "querystring" || opaque)) {
    const unused = opaque ? ", and its schema is not used" : "";
    const message = `The ${label} is read as a string, because ${mediaType.name} is not JSON${unused}`;
    const same = "Write `schema: { type: string }` instead of `content`; it means the same";
    const hint = location === "querystring" ? "Declare a string" : same;
    context.report("parameter-text", mediaType.pointer, message, hint);
  }
  const text = { ...own, type: "string" } as const;
  const string: Schema = { pointer: schema.pointer, type: ["string"] };
  if (opaque) return { ...text, schema: string, hasDefault: false, opaque };
  const defaulted = hasDefault(schema, context);
  // A default may be any value that the schema allows.
  const isText = types === undefined && !defaulted;
  return { ...text, schema: isText ? string : schema, hasDefault: defaulted };
}

/** Tests whether the schema lists the empty text as one of its values. */
function allowsEmpty(schema: Schema, context: BuildContext, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { enum: values = [], allOf = [], oneOf = [], anyOf = [], reference } = schema;
  const target = reference === undefined ? [] : [context.registry.get(reference)];
  const parts = [...target, ...allOf, ...oneOf, ...anyOf];
  return values.includes("") || parts.some((part) => allowsEmpty(part, context, seen));
}

/** Builds the headers that a response, or a part of a multipart form, declares. */
export function buildHeaders(owner: Located, context: BuildContext): readonly ResponseHeader[] {
  return getMembers(owner, "headers").flatMap((reference) => toHeaders(reference, context));
}

/** @returns one header, or none if the reference cannot be resolved or OpenAPI ignores the header (`Content-Type`). */
export function toHeaders(
  { name, ...reference }: Located & { readonly name: string },
  context: BuildContext,
): readonly ResponseHeader[] {
  const header = resolve(reference, context);
  if (header === undefined || name.toLowerCase() === "content-type") return [];
  reportLifecycle(header, context);
  const [mediaType] = getContent(header, context);
  return [
    {
      pointer: header.pointer,
      name,
      ...buildAnnotations(header.node),
      required: header.node["required"] === true,
      schema: readSchema(mediaType ?? header, "schema", context),
      explode: header.node["explode"] === true,
      ...(mediaType && { mediaType: mediaType.name }),
      examples: [...buildExamples(header, context), ...(mediaType ? buildExamples(mediaType, context) : [])],
    },
  ];
}

function buildAnnotations(node: Node) {
  return {
    ...pickTexts(node, "description"),
    ...readLasting(node),
  };
}

/** Tests whether a parameter has a default. Unlike for a property, the validator also applies one behind a reference. */
function hasDefault(schema: Schema, { registry }: BuildContext): boolean {
  return "default" in schema || "default" in registry.resolve(schema);
}

/** Reports invalid lifecycle extensions of an operation, parameter or header. */
export function reportLifecycle({ node, pointer }: Located, { report }: Pick<BuildContext, "report">): void {
  for (const { key, value, expected } of findInvalidExtensions(node)) {
    // The lint rule `stability-known` reports unknown levels.
    if (key === "x-stability-level") continue;
    const code = key === "x-replaced-by" ? "replaced-by-unknown" : "date-invalid";
    report(code, joinPointer(pointer, key), `${key} must be ${expected}, found ${JSON.stringify(value)}`);
  }
  if (endsBeforeStart(readLifecycle(node))) {
    const message = "x-sunset must not be earlier than x-deprecated-since";
    report("date-invalid", joinPointer(pointer, "x-sunset"), message);
  }
}
