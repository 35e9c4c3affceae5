import { STABLE } from "tenon/core/document";
import { toEssence } from "tenon/core/http";
import { type Operation, type Parameter, toParameterKey } from "tenon/core/model";
import { pairByName, type Sides } from "../sides.js";
import { reportChange, type Scope } from "./scope.js";
import { compareLifecycle, explainRemoval, isPast, withPromise } from "./lifecycle.js";
import { type Conjunction, toConjunction } from "../schema/index.js";
import { compareSchemas } from "./schemas.js";

const PARAMETER = {
  deprecated: "request-parameter-deprecated",
  undeprecated: "request-parameter-undeprecated",
} as const;

/** Compares parameters by location and name; path parameters by position, because requests do not contain their names. */
export function compareParameters(operations: Sides<Operation>, scope: Scope): void {
  const [base, revision] = [listParameters(operations.base), listParameters(operations.revision)];
  for (const pair of pairByName(base, revision)) {
    if (pair.base && pair.revision) compareParameter({ base: pair.base, revision: pair.revision }, scope);
    else if (pair.revision) reportAdded(pair.revision, scope);
    else if (pair.base) reportRemoved(pair.base, scope);
  }
}

function reportAdded(parameter: Parameter, scope: Scope): void {
  const code = parameter.required ? "request-required-parameter-added" : "request-parameter-added";
  const message = `The ${parameter.required ? "required" : "optional"} ${describe(parameter)} is new`;
  reportChange(code, { message, at: { revision: parameter }, after: parameter.name }, scope);
}

function reportRemoved(parameter: Parameter, outer: Scope): void {
  const scope = withinParameter(parameter, outer);
  const { lifecycle = STABLE } = parameter;
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
  const message = `The ${describe(parameter)} was removed`;
  const details = { message, at: { base: parameter }, before: parameter.name };
  reportChange(code, { ...details, ...explainRemoval(lifecycle, scope) }, scope);
}

/** A parameter may be less stable than its operation. */
function withinParameter(base: Parameter, scope: Scope): Scope {
  return withPromise(base.lifecycle?.stability ?? "stable", `the ${describe(base)}`, scope);
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
    reportChange(
      code,
      { message: `${name} became ${revision.required ? "required" : "optional"}`, at },
      scope,
    );
  }
  const [before, after] = [readSerialization(base, pair, scope), readSerialization(revision, pair, scope)];
  if (before !== after) {
    const message = `${name} is serialized in another way: ${before}, now ${after}`;
    reportChange("request-parameter-serialization-changed", { message, at, before, after }, scope);
  }
  if (base.declared.allowEmptyValue !== revision.declared.allowEmptyValue) {
    const allowed = revision.declared.allowEmptyValue;
    const code = allowed ? "request-parameter-empty-allowed" : "request-parameter-empty-forbidden";
    reportChange(code, { message: `${name} ${allowed ? "may" : "must not"} be empty`, at }, scope);
  }
  const reserved = (parameter: Parameter) => parameter.in === "query" && parameter.allowReserved;
  if (reserved(base) !== reserved(revision)) {
    const allowed = reserved(revision);
    const code = allowed ? "request-parameter-reserved-allowed" : "request-parameter-reserved-forbidden";
    reportChange(
      code,
      { message: `${name} ${allowed ? "may" : "must not"} contain unescaped reserved characters`, at },
      scope,
    );
  }
  compareLifecycle(pair, { name, ...PARAMETER }, scope);
  compareSchemas(toConjunctions(pair), { direction: "request", name }, scope);
}

/** Describes how a value becomes text, as far as its type makes a difference: `style form, exploded`. */
function readSerialization(
  { mediaType, declared: { style, explode } }: Parameter,
  pair: Sides<Parameter>,
  scope: Scope,
): string {
  if (mediaType !== undefined) return toEssence(mediaType);
  const { base, revision } = toConjunctions(pair);
  const admits = (kind: "array" | "object") => scope.schemas.request.admits(kind, base, revision);
  const compound = admits("array") || admits("object");
  // `form`, the delimited styles and `simple` serialize a plain value alike, exploded or not.
  if (!compound && (style === "label" || style === "matrix")) return style;
  if (!compound) return "plain";
  const matters = style === "simple" ? admits("object") : style !== "deepObject";
  return `style ${style}${matters ? (explode ? ", exploded" : ", not exploded") : ""}`;
}

function toConjunctions({ base, revision }: Sides<Parameter>): Sides<Conjunction> {
  return { base: toConjunction(base.declared.schema), revision: toConjunction(revision.declared.schema) };
}

function describe(parameter: Parameter): string {
  return `${parameter.in} parameter "${parameter.name}"`;
}

function listParameters({ path, parameters }: Operation): ReadonlyMap<string, Parameter> {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters.map((parameter) => {
      const { in: location, name } = parameter;
      return [location === "path" ? `path/${names.indexOf(name)}` : toParameterKey(parameter), parameter];
    }),
  );
}
