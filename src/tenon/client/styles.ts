import { toMediaKind } from "../core/http/media-type.js";
import type { FormField, MediaType, Operation } from "../core/model/index.js";
import { findJsonType, isJsonType } from "../core/parameters/index.js";
import type { ClientOperation, WrittenStyle } from "./contract.js";

/** Escapes the characters of a path template that URLs do not allow. Names of parameters stay. */
export function toUrlPath(template: string): string {
  return template.replaceAll(/\{[^{}]*\}|[^!-~]+|[?#"<>\\^`|]/g, (part) =>
    part.startsWith("{") ? part : encodeURIComponent(part),
  );
}

/** How each parameter is written, by its location and name. */
export function toStyles({
  parameters,
}: Pick<Operation, "parameters">): NonNullable<ClientOperation["parameters"]> {
  return Object.fromEntries(
    parameters.map((parameter): [string, WrittenStyle] => {
      const { name, in: location, explode, type, form, allowReserved } = parameter;
      const key = `${location}/${name}`;
      if (form) return [key, { fields: toFormStyles(form.fields) }];
      const other = isJsonText(parameter) ? "json" : findJsonType(type) && "jsonOrText";
      return [key, { style: other ?? parameter.style, explode, allowReserved }];
    }),
  );
}

/** Tests whether a parameter is serialized as JSON: one with `content`. */
export function isJsonText({ mediaType }: Operation["parameters"][number]): boolean {
  return mediaType !== undefined && toMediaKind(mediaType) === "json";
}

/** How the fields of a form are written that state a style; the others are written by their types. */
export function toFieldStyles({ encoding }: MediaType) {
  return Object.fromEntries(
    encoding.flatMap(({ name, style, explode }) =>
      style === undefined && explode === undefined
        ? []
        : [[name, { ...(style !== undefined && { style }), ...(explode !== undefined && { explode }) }]],
    ),
  );
}

/** Returns the styles of fields that differ from the default. */
export function toFormStyles(fields: readonly FormField[]): Readonly<Record<string, WrittenStyle>> {
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
  return [type].flat().some((one) => typeof one === "object" && !("items" in one) && !isJsonType(one));
}
