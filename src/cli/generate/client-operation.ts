import { toMediaKind, toReplyKind } from "tenon/core/http";
import { declaresLastEventId, type MediaType, type Operation, type Parameter } from "tenon/core/model";
import { toFormStyles } from "tenon/client/internal";
import { explodesByDefault, findJsonType, type ValueType } from "tenon/core/parameters";

const JSON_ONLY = "application/json";

/** Alternatives, each with the names of its security schemes. */
export type Security = readonly (readonly string[])[];

/** Finds the security of most operations, which the others do not repeat. */
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
  const items = toItems(responses);
  return {
    responses: responses.map(({ status, mediaTypes: declared }) => {
      const names = declared.map(({ name }) => name);
      const key = /^\d+$/.test(status) ? Number(status) : status;
      return names.join() === JSON_ONLY ? key : [key, ...names];
    }),
    ...(Object.keys(items).length > 0 && { items }),
    ...toParts(operation),
    ...(hasEvents(operation) && declaresLastEventId(operation) && { resumes: true }),
    ...(JSON.stringify(security) !== JSON.stringify(usualSecurity) && { security }),
    ...(mediaTypes.join() !== JSON_ONLY && { mediaTypes }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...findIdempotencyKey(operation),
  };
}

/** Lists the media types whose items are received one by one, with the kinds of events. */
function toItems(responses: Operation["responses"]): object {
  return Object.fromEntries(
    responses.flatMap(({ mediaTypes }) =>
      mediaTypes.flatMap(({ name, items }) => (items ? [[name, items.events] as const] : [])),
    ),
  );
}

/** Lists what is declared for the parts of multipart bodies by position. */
function toParts({ requestBody, responses }: Operation): object {
  const toPositions = (mediaTypes: readonly MediaType[]) =>
    Object.fromEntries(
      mediaTypes.flatMap(({ name, items }) => (items?.parts ? [[name, items.parts.positions] as const] : [])),
    );
  const sent = toPositions(requestBody?.mediaTypes ?? []);
  const received = toPositions(responses.flatMap(({ mediaTypes }) => mediaTypes));
  const parts = {
    ...(Object.keys(sent).length > 0 && { sent }),
    ...(Object.keys(received).length > 0 && { received }),
  };
  return Object.keys(parts).length > 0 ? { parts } : {};
}

function hasEvents({ responses }: Operation): boolean {
  return responses.some(({ mediaTypes }) => mediaTypes.some(({ items }) => items?.format === "events"));
}

/** Lists the parameters that are not serialized as the client does by default. */
function toParameters(parameters: readonly Parameter[]): object {
  return Object.fromEntries(
    parameters
      .map((parameter) => [`${parameter.in}/${parameter.name}`, toStyle(parameter)] as const)
      .filter(([, style]) => Object.keys(style).length > 0),
  );
}

function toStyle({ in: place, style, explode, type, form, allowReserved }: Parameter): object {
  if (form !== undefined) return { fields: toFormStyles(form.fields) };
  if (type === "json") return { style: "json" };
  if (findJsonType(type) !== undefined) return { style: "jsonOrText" };
  const usual = place === "path" || place === "header" ? "simple" : "form";
  const exploded = explode !== explodesByDefault(style) && !isPlain(type);
  return {
    ...(style !== usual && { style }),
    ...(exploded && { explode }),
    ...(allowReserved && { allowReserved }),
  };
}

/** Tests whether a value needs no serialization of its parts. */
function isPlain(type: ValueType): boolean {
  return [type].flat().every((alternative) => typeof alternative === "string");
}

/** Lists the form fields that are not serialized as the client does by default. */
function toFields({ requestBody }: Operation): object {
  const forms = (requestBody?.mediaTypes ?? []).map(({ form }) => form);
  return toFormStyles(forms.flatMap((form) => (typeof form === "object" ? form.fields : [])));
}

/** Finds a form of `Idempotency-Key` that its schema allows, if the operation declares the header. */
function findIdempotencyKey({ parameters }: Operation): { readonly idempotencyKey?: "plain" | "quoted" } {
  const header = parameters.find((one) => one.in === "header" && /^idempotency-key$/i.test(one.name));
  if (header === undefined) return {};
  const { pattern = "", maxLength = Infinity } = header.schema;
  const allows = (value: string) => value.length <= maxLength && new RegExp(pattern, "u").test(value);
  const key = "8e03978e-40d5-43e8-bc93-6894a57f9324";
  const form = (["plain", "quoted"] as const).find((name) => allows(name === "plain" ? key : `"${key}"`));
  return form === undefined ? {} : { idempotencyKey: form };
}

/** Lists the functions of the client that an operation needs and most do not, so that a bundle has only those in use. */
export function listFunctions({ requestBody, responses }: Operation): readonly string[] {
  const sent = requestBody?.mediaTypes ?? [];
  const received = responses.flatMap(({ mediaTypes }) => mediaTypes);
  const whole = received.filter(({ items }) => items === undefined);
  const isOther = ({ name, items }: MediaType) => toMediaKind(name) !== "json" && !items?.parts;
  return [
    ...(sent.some(isOther) ? ["writeContent"] : []),
    ...(sent.some(({ items }) => items?.parts) ? ["writeParts"] : []),
    ...(received.some(({ items }) => items && !items.parts) ? ["readItems"] : []),
    ...(received.some(({ items }) => items?.parts) ? ["readParts"] : []),
    ...(whole.some(({ name }) => toReplyKind(name) === "binary") ? ["readBytes"] : []),
  ];
}
