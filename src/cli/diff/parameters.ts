import { items, type Located, members, toText } from "tenon/core/legacy/document";
import { readLifecycle } from "tenon/core/document/lifecycle";
import { defaultStyle } from "tenon/core/legacy/parameter-style";
import { toEssence } from "tenon/core/http/media-type";
import { pairByName, type Scope, type Sides, tell } from "./comparison.js";
import { compareLifecycle, explainRemoval, isPast, withPromise } from "./lifecycle.js";
import type { OperationView } from "./operations.js";
import { readSchema } from "./schema/keywords.js";
import type { Conjunction } from "./schema/shape.js";
import { toCanonical } from "./schema/values.js";
import { compareSchemas } from "./schemas.js";
import type { View } from "./view.js";

/** Headers that OpenAPI wants described elsewhere, and ignores as parameters. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

const PARAMETER = {
  deprecated: "request-parameter-deprecated",
  undeprecated: "request-parameter-undeprecated",
} as const;

type Place = "path" | "query" | "header" | "cookie";

interface Parameter extends Located {
  readonly name: string;
  readonly in: Place;
  readonly required: boolean;
  readonly schema: Conjunction;
  /** Media type of `content`; undefined where a style writes the value. */
  readonly mediaType: string | undefined;
}

/** Compares parameters by place and name; those of the path by their position, because nobody sends their names. */
export function compareParameters(operations: Sides<OperationView>, scope: Scope): void {
  const { views } = scope;
  const base = listParameters(operations.base, views.base);
  const revision = listParameters(operations.revision, views.revision);
  for (const pair of pairByName(base, revision)) {
    if (pair.base && pair.revision) compareParameter({ base: pair.base, revision: pair.revision }, scope);
    else if (pair.revision) tellAdded(pair.revision, scope);
    else if (pair.base) tellRemoved(pair.base, scope);
  }
}

function tellAdded(parameter: Parameter, scope: Scope): void {
  const code = parameter.required ? "request-required-parameter-added" : "request-parameter-added";
  const message = `There is a new ${parameter.required ? "required" : "optional"} ${describe(parameter)}`;
  tell(code, { message, at: { revision: parameter }, after: parameter.name }, scope);
}

function tellRemoved(parameter: Parameter, outer: Scope): void {
  const scope = withinParameter(parameter, outer);
  const lifecycle = readLifecycle(parameter.node);
  const isQuiet = parameter.in === "header" || parameter.in === "cookie";
  const code = isPast(lifecycle, scope)
    ? "request-parameter-removed-after-sunset"
    : isQuiet
      ? parameter.required
        ? "request-required-header-removed"
        : "request-header-removed"
      : parameter.required
        ? "request-required-parameter-removed"
        : "request-parameter-removed";
  const message = `There is no ${describe(parameter)} any more`;
  const told = { message, at: { base: parameter }, before: parameter.name };
  tell(code, { ...told, ...explainRemoval(lifecycle, scope) }, scope);
}

/** Less may be promised of the parameter than of its operation. */
function withinParameter(base: Parameter, scope: Scope): Scope {
  return withPromise(readLifecycle(base.node).stability, `the ${describe(base)}`, scope);
}

function compareParameter(pair: Sides<Parameter>, outer: Scope): void {
  const { base, revision } = pair;
  const scope = withinParameter(base, outer);
  const name = `The ${describe(revision)}`;
  const at = pair;
  if (base.required !== revision.required) {
    const code = revision.required
      ? "request-parameter-became-required"
      : "request-parameter-became-optional";
    tell(code, { message: `${name} became ${revision.required ? "required" : "optional"}`, at }, scope);
  }
  const [before, after] = [readSerialization(base, pair, scope), readSerialization(revision, pair, scope)];
  if (before !== after) {
    const message = `${name} is written in another way: ${before}, now ${after}`;
    tell("request-parameter-serialization-changed", { message, at, before, after }, scope);
  }
  const emptiness = (parameter: Parameter) =>
    parameter.in === "query" && parameter.node["allowEmptyValue"] === true;
  if (emptiness(base) !== emptiness(revision)) {
    const allowed = emptiness(revision);
    const code = allowed ? "request-parameter-empty-allowed" : "request-parameter-empty-forbidden";
    tell(code, { message: `${name} ${allowed ? "may" : "must not"} be empty`, at }, scope);
  }
  const reserved = ({ node, in: place }: Parameter) => place === "query" && node["allowReserved"] === true;
  if (reserved(base) !== reserved(revision)) {
    const allowed = reserved(revision);
    const code = allowed ? "request-parameter-reserved-allowed" : "request-parameter-reserved-forbidden";
    tell(
      code,
      { message: `${name} ${allowed ? "may" : "must not"} have reserved characters as they are`, at },
      scope,
    );
  }
  compareLifecycle(pair, { name, ...PARAMETER }, scope);
  compareSchemas({ base: base.schema, revision: revision.schema }, { direction: "request", name }, scope);
}

/** How a value becomes text, as far as that makes a difference to its type: `form, exploded`. */
function readSerialization(parameter: Parameter, pair: Sides<Parameter>, scope: Scope): string {
  if (parameter.mediaType !== undefined) return toEssence(parameter.mediaType);
  const { node } = parameter;
  const style = toText(node["style"]) ?? defaultStyle(parameter.in);
  const admits = (kind: "array" | "object") =>
    scope.schemas.request.admits(kind, pair.base.schema, pair.revision.schema);
  const compound = admits("array") || admits("object");
  // `form` and its kin, and `simple`, write a plain value alike, exploded or not.
  if (!compound && (style === "label" || style === "matrix")) return style;
  if (!compound) return "plain";
  const explode = typeof node["explode"] === "boolean" ? node["explode"] : style === "form";
  const matters = style === "simple" ? admits("object") : style !== "deepObject";
  return `style ${style}${matters ? (explode ? ", exploded" : ", not exploded") : ""}`;
}

function describe(parameter: Parameter): string {
  return `${parameter.in} parameter "${parameter.name}"`;
}

function listParameters(operation: OperationView, view: View): ReadonlyMap<string, Parameter> {
  const written = [...items(operation.pathItem, "parameters"), ...items(operation, "parameters")];
  const parameters = new Map<string, Parameter>();
  for (const reference of written) {
    const parameter = readParameter(view.resolve(reference));
    if (parameter === undefined) continue;
    const key = toKey(parameter, operation.parameterNames);
    if (key !== undefined) parameters.set(key, parameter);
  }
  return parameters;
}

function toKey({ name, in: place }: Parameter, pathNames: readonly string[]): string | undefined {
  if (place === "path") return `path ${pathNames.indexOf(name)}`;
  if (place !== "header") return `${place} ${name}`;
  const lower = name.toLowerCase();
  return IGNORED_HEADERS.has(lower) ? undefined : `header ${lower}`;
}

function readParameter(located: Located): Parameter | undefined {
  const { node, pointer } = located;
  const [name, place] = [toText(node["name"]), node["in"]];
  if (name === undefined) return undefined;
  if (place !== "path" && place !== "query" && place !== "header" && place !== "cookie") return undefined;
  const [content] = members(located, "content");
  return {
    node,
    pointer,
    name,
    in: place,
    required: place === "path" || node["required"] === true,
    schema: readSchema(content ?? located, "schema"),
    mediaType: content?.name,
  };
}

/** How the fields of a form are written, as text that is equal where that is the same. */
export function readEncoding(mediaType: Located): ReadonlyMap<string, string> {
  return new Map(
    members(mediaType, "encoding").map(({ name, node }) => [
      name,
      toCanonical({ ...node, headers: undefined }),
    ]),
  );
}
