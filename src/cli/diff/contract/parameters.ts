import { type Operation, type Parameter, toParameterKey } from "tenon/core/model";
import { pairBy, type Sides } from "../sides.js";
import { derive } from "./derive.js";
import { compareLifecycle, reportRemoval, withPromise } from "./lifecycle.js";
import { compareSchemas } from "./schemas.js";
import { compareRequired, reportChange, type Scope } from "./scope.js";
import { compareAllowed, compareSerialization } from "./serialization.js";
import { PARAMETER } from "./texts.js";

/** Compares parameters by location and name; path parameters by position, because requests do not contain their names. */
export function compareParameters({ base, revision }: Sides<Operation>, scope: Scope): void {
  const names = { base: listPathNames(base), revision: listPathNames(revision) };
  const parameters = { base: base.parameters, revision: revision.parameters };
  const pairs = pairBy(parameters, (parameter, side) => {
    const { in: location, name } = parameter;
    return location === "path" ? `path/${names[side].indexOf(name)}` : toParameterKey(parameter);
  });
  for (const { base: before, revision: after } of pairs) {
    if (before === undefined) {
      if (after !== undefined) reportAdded(after, scope);
      continue;
    }
    // A parameter may be less stable than its operation.
    const within = withPromise(before.lifecycle, `the ${describe(before)}`, scope);
    if (after === undefined) reportRemoved(before, within);
    else compareParameter({ base: before, revision: after }, within);
  }
}

function listPathNames({ path }: Operation): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
}

function reportAdded(parameter: Parameter, scope: Scope): void {
  const code = parameter.required ? "request-required-parameter-added" : "request-parameter-added";
  const message = `The ${parameter.required ? "required" : "optional"} ${describe(parameter)} is new`;
  reportChange(code, { message, at: { revision: parameter }, after: parameter.name }, scope);
}

function reportRemoved(parameter: Parameter, scope: Scope): void {
  // Services ignore unknown headers and cookies.
  const kind = parameter.in === "header" || parameter.in === "cookie" ? "header" : "parameter";
  const code = parameter.required
    ? (`request-required-${kind}-removed` as const)
    : (`request-${kind}-removed` as const);
  const message = `The ${describe(parameter)} was removed`;
  const afterSunset = "request-parameter-removed-after-sunset";
  reportRemoval(parameter, { code, afterSunset, message, before: parameter.name }, scope);
}

function compareParameter(at: Sides<Parameter>, scope: Scope): void {
  const name = `The ${describe(at.revision)}`;
  const declared = toSent(at);
  compareRequired(at, { name, kind: "request-parameter" }, scope);
  compareSerialization(at, { direction: "request", name }, scope);
  compareAllowed(at, { direction: "request", name }, scope);
  compareLifecycle(at, { name, kind: "request-parameter" }, scope);
  const isStyled = at.base.mediaType === undefined && at.revision.mediaType === undefined;
  const isRequired = at.base.required && at.revision.required;
  compareSchemas(
    declared,
    { direction: "request", name, isRequired, ...(isStyled && { texts: { ...declared, paths: PARAMETER } }) },
    scope,
  );
}

/** Leaves out values that cannot be sent: an empty path parameter does not match the template, and an empty exploded list is absent. */
function toSent(at: Sides<Parameter>): Sides<Parameter["declared"]> {
  const { base, revision } = at;
  const areExploded = [base, revision].every(({ declared }) => declared.style === "form" && declared.explode);
  const least = revision.in === "path" ? { minLength: 1 } : areExploded ? { minItems: 1 } : undefined;
  const restrict = ({ declared }: Parameter) => {
    if (least === undefined) return declared;
    const { schema } = declared;
    const { pointer } = schema;
    const make = () => ({ pointer, allOf: [schema, { pointer, ...least }] });
    return { ...declared, schema: derive(schema, JSON.stringify(least), make) };
  };
  return { base: restrict(base), revision: restrict(revision) };
}

function describe(parameter: Parameter): string {
  return `${parameter.in} parameter "${parameter.name}"`;
}
