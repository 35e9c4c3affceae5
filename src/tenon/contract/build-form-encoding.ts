import {
  type DocumentContext,
  getOwn,
  isNode,
  joinPointer,
  type Located,
  members,
  resolve,
  toText,
} from "./document.js";
import type { FieldEncoding } from "./model.js";

const DELIMITERS: ReadonlyMap<string, FieldEncoding["delimiter"]> = new Map([
  ["form", ","],
  ["spaceDelimited", " "],
  ["pipeDelimited", "|"],
] as const);

/**
 * Builds how the fields of a form are written. A form without an object as its schema has no fields, and an object in
 * brackets (`deepObject`) is not read: both are reported.
 * @param label Of what has the form: `the request body of POST /pets`.
 * @see https://spec.openapis.org/oas/v3.1.0#encoding-object
 */
export function buildFormEncoding(
  form: Located,
  label: string,
  context: DocumentContext,
): ReadonlyMap<string, FieldEncoding> {
  reportSchema(form, label, context);
  return new Map(
    members(form, "encoding").map(({ name, node, pointer }) => {
      const style = toText(node["style"]) ?? "form";
      if (!DELIMITERS.has(style)) {
        const message = `Cannot read field "${name}" of ${label}: style ${style} is not supported`;
        context.report("media-type-unsupported", joinPointer(pointer, "style"), message);
      }
      const mediaTypes = (toText(node["contentType"]) ?? "").split(",").map((text) => text.trim());
      // Only the default style gives each item a value of its own unless told otherwise.
      const explode = node["explode"] ?? style === "form";
      const delimiter = explode === true ? undefined : DELIMITERS.get(style);
      return [
        name,
        { mediaTypes: mediaTypes.filter((text) => text !== ""), ...(delimiter && { delimiter }) },
      ] as const;
    }),
  );
}

function reportSchema(form: Located, label: string, context: DocumentContext): void {
  const schema = getOwn(form.node, "schema");
  if (!isNode(schema)) return;
  const pointer = joinPointer(form.pointer, "schema");
  const type = resolve({ node: schema, pointer }, context)?.node["type"] ?? "object";
  if (type === "object" || (Array.isArray(type) && type.includes("object"))) return;
  const message = `Cannot read ${label} as a form: its schema must be an object`;
  context.report("media-type-unsupported", pointer, message);
}
