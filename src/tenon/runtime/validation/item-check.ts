import { findMediaType } from "../../core/http/media-type.js";
import { findResponse } from "../../core/http/status.js";
import type { Items, MediaType, Operation } from "../../core/model/index.js";
import type { Schema } from "../../core/schema/index.js";
import { createItemFormatters, type ItemFormatter } from "../response/items.js";
import type { SideValidator } from "./side-validator.js";
import type { Removals } from "./removal.js";
import type { ResponseCheck } from "./response-check.js";
import type { SchemaProblem } from "../../core/validation/index.js";
import type { SideSchemas } from "./schemas.js";
import type { RemoveUndeclared } from "./undeclared.js";

/** The items of a declared media type, and how one is compared with its schema. */
export interface ItemCheck extends Pick<Items, "format" | "parts"> {
  /** Creates the function that serializes the items of one response, in this order. */
  readonly createFormatter: () => ItemFormatter;
  /** Returns an item without undeclared members. */
  readonly remove: (item: unknown, removals: Removals) => unknown;
  /** Problems of an item; empty when it is as declared. */
  readonly check: (item: unknown, index: number) => readonly string[];
  /** Problems of a list of all parts; empty for other items. */
  readonly checkWhole: (items: unknown) => readonly string[];
}

/** Compiles the schemas of items; those of parts depend on the position. */
export function compileByPosition<Validate extends (value: unknown) => readonly unknown[]>(
  { schema, parts }: Items,
  compile: (schema: Schema) => Validate,
): (index: number) => Validate {
  if (parts === undefined) {
    const validate = compile(schema);
    return () => validate;
  }
  const prefix = parts.prefix.map(compile);
  const rest = compile(parts.rest ?? { pointer: schema.pointer, never: true });
  return (index) => prefix[index] ?? rest;
}

function describe({ path, text }: SchemaProblem): string {
  return `/${path.join("/")} ${text}`;
}

/** Creates the check of items that are all there. */
export function createItemsCheck(findItems: FindItems): ResponseCheck {
  return ({ status, content }) => {
    if (content?.kind !== "items" || !Array.isArray(content.body)) return [];
    const items = findItems(status, content.mediaType);
    if (items?.parts?.whole) return items.checkWhole(content.body);
    return content.body.flatMap((item, index) =>
      (items?.check(item, index) ?? []).map((problem) => `item ${index}: ${problem}`),
    );
  };
}

/** Finds the items that a response is declared to have; undefined if its body is not a stream of items. */
export type FindItems = (status: number, mediaType: string) => ItemCheck | undefined;

/** Compiles the checks of items of an operation's responses. */
export function compileItems(
  { responses }: Operation,
  {
    schemas,
    validator,
    compile,
  }: {
    readonly schemas: SideSchemas;
    readonly validator: SideValidator;
    readonly compile: (schema: Schema) => RemoveUndeclared | undefined;
  },
): FindItems {
  const checks = new Map<MediaType, ItemCheck>();
  for (const mediaType of responses.flatMap(({ mediaTypes }) => mediaTypes)) {
    if (mediaType.items === undefined) continue;
    const { items } = mediaType;
    const { format, schema, parts } = items;
    const compileSchema = (one: Schema) => validator.compileValue(schemas.write(one));
    const find = compileByPosition(items, compileSchema);
    const validateWhole = parts?.whole && compileSchema(parts.whole);
    const remove = compile(schema);
    checks.set(mediaType, {
      format,
      ...(parts && { parts }),
      createFormatter: createItemFormatters(items),
      remove: (item, removals) => remove?.(item, removals) ?? item,
      check: (item, index) => find(index)(item).map(describe),
      checkWhole: (all) => (validateWhole?.(all) ?? []).map(describe),
    });
  }
  return (status, mediaType) => {
    const declared = findMediaType(findResponse(responses, status)?.mediaTypes ?? [], mediaType);
    return declared && checks.get(declared);
  };
}
