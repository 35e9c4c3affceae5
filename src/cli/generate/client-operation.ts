import type { FormField, Operation, Parameter, ValueType } from "tenon/core/legacy/model";

const JSON_ONLY = "application/json";

/**
 * What the client has to know of an operation while it runs, in the form of its `ClientOperation`. What is as it is by default
 * is left out, so that an operation of an ordinary contract has its statuses and no more.
 */
export function toClientOperation(operation: Operation, usualSecurity: Security): object {
  const { requestBody, responses } = operation;
  const mediaTypes = requestBody?.mediaTypes.map(({ name }) => name) ?? [JSON_ONLY];
  const parameters = toParameters(operation.parameters);
  const fields = toFields(operation);
  const security = toSecurity(operation);
  return {
    responses: responses.map(({ status, mediaTypes: declared }) => {
      const names = declared.map(({ name }) => name);
      const key = /^\d+$/.test(status) ? Number(status) : status;
      return names.join() === JSON_ONLY ? key : [key, ...names];
    }),
    ...(JSON.stringify(security) !== JSON.stringify(usualSecurity) && { security }),
    ...(mediaTypes.join() !== JSON_ONLY && { mediaTypes }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}

/** The names of security schemes in the alternatives that are admitted. */
export type Security = readonly (readonly string[])[];

/** What most operations want of a caller. */
export function findUsualSecurity(operations: readonly Operation[]): Security {
  const counts = new Map<string, number>();
  for (const operation of operations) {
    const key = JSON.stringify(toSecurity(operation));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [[usual] = ["[]"]] = [...counts].sort(([, a], [, b]) => b - a);
  return JSON.parse(usual) as Security;
}

function toSecurity({ security }: Operation): Security {
  return security.map((requirement) => Object.keys(requirement));
}

function toParameters(parameters: readonly Parameter[]): object {
  const written = parameters.map(
    (parameter) => [`${parameter.in}/${parameter.name}`, toWritten(parameter)] as const,
  );
  return Object.fromEntries(written.filter(([, style]) => Object.keys(style).length > 0));
}

function toWritten({ in: place, style, explode, type }: Parameter): object {
  if (type === "json") return { style: "json" };
  const usual = place === "path" || place === "header" ? "simple" : "form";
  const exploded = explode !== (style === "form") && !isPlain(type);
  return { ...(style !== usual && { style }), ...(exploded && { explode }) };
}

/** Whether there is nothing to take apart in a value. */
function isPlain(type: ValueType): boolean {
  return [type].flat().every((alternative) => typeof alternative === "string");
}

/** Fields that say how they are written; the rest is as the client does it by itself. */
function toFields({ requestBody }: Operation): object {
  const forms = (requestBody?.mediaTypes ?? []).map(({ form }) => form);
  const fields = forms.flatMap((form) => (typeof form === "object" ? form.fields : []));
  return Object.fromEntries(
    fields.flatMap(({ property: { name }, style, explode, type }) => {
      // An object that is not JSON has its properties among the form's fields.
      const usual = style === "form" && explode && !hasObject(type);
      if (usual) return [];
      const stated = style !== "form" || explode;
      return [[name, { ...(stated && { style }), ...(explode !== (style === "form") && { explode }) }]];
    }),
  );
}

function hasObject(type: FormField["type"]): boolean {
  return [type].flat().some((one) => typeof one === "object" && !("items" in one));
}
