import type { FormField, Operation, Parameter } from "tenon/core/model";
import type { ValueType } from "tenon/core/parameters";

const JSON_ONLY = "application/json";

/**
 * Returns the data of an operation that the client needs at run time: its `ClientOperation`. Default values are left out, so a
 * typical operation has only its statuses.
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

/** Alternatives, each with the names of its security schemes. */
export type Security = readonly (readonly string[])[];

/** Finds the most common security of the operations. */
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

/** Tests whether a value needs no serialization of its parts. */
function isPlain(type: ValueType): boolean {
  return [type].flat().every((alternative) => typeof alternative === "string");
}

/** Lists the form fields that are not serialized as the client does by default. */
function toFields({ requestBody }: Operation): object {
  const forms = (requestBody?.mediaTypes ?? []).map(({ form }) => form);
  const fields = forms.flatMap((form) => (typeof form === "object" ? form.fields : []));
  return Object.fromEntries(
    fields.flatMap(({ name, style, explode, type }) => {
      // The properties of an object that is not JSON become fields of the form.
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
