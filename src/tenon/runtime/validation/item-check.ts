import { findMediaType } from "../../core/http/media-type.js";
import { findResponse } from "../../core/http/status.js";
import type { Items, MediaType, Operation } from "../../core/model/index.js";
import type { Schema } from "../../core/schema/index.js";
import { createItemFormatter } from "../response/items.js";
import type { SideValidator } from "./side-validator.js";
import type { Removals } from "./removal.js";
import type { ResponseCheck } from "./response-check.js";
import type { SideSchemas } from "./schemas.js";
import type { RemoveUndeclared } from "./undeclared.js";

/** The items of a declared media type, and how one is compared with its schema. */
export interface ItemCheck extends Pick<Items, "format"> {
  readonly serialize: (item: unknown) => string;
  /** Returns an item without undeclared members. */
  readonly remove: (item: unknown, removals: Removals) => unknown;
  /** Problems of an item; empty when it is as declared. */
  readonly check: (item: unknown) => readonly string[];
}

/** Creates the check of items that are all there. */
export function createItemsCheck(findItems: FindItems): ResponseCheck {
  return ({ status, content }) => {
    if (content?.kind !== "items" || !Array.isArray(content.body)) return [];
    const items = findItems(status, content.mediaType);
    return content.body.flatMap((item, index) =>
      (items?.check(item) ?? []).map((problem) => `item ${index}: ${problem}`),
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
    const { format, events, schema } = mediaType.items;
    const validate = validator.compileValue(schemas.write(schema));
    const remove = compile(schema);
    checks.set(mediaType, {
      format,
      serialize: createItemFormatter({ format, events }),
      remove: (item, removals) => remove?.(item, removals) ?? item,
      check: (item) => validate(item).map(({ path, text }) => `/${path.join("/")} ${text}`),
    });
  }
  return (status, mediaType) => {
    const declared = findMediaType(findResponse(responses, status)?.mediaTypes ?? [], mediaType);
    return declared && checks.get(declared);
  };
}
