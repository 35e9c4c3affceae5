import { isMediaType, toMediaKind } from "../media-type.js";
import { buildSchema } from "./build-schema.js";
import { type DocumentContext, type Located, members } from "./document.js";
import { buildFormEncoding } from "./build-form-encoding.js";
import { toMethodNames } from "./media-type-names.js";
import type { MediaType } from "./model.js";

/** Whose content it is. */
export interface ContentOwner {
  /** Completes `Cannot serve …`: `the request body of POST /pets`. */
  readonly label: string;
  /** Whether the fields of forms are read, as those of requests are; a response's form is bytes. */
  readonly readsForms: boolean;
}

/**
 * Builds the media types of a request body or response. What cannot be read or written is reported.
 * @see https://spec.openapis.org/oas/v3.1.0#media-type-object
 */
export function buildMediaTypes(
  located: Located,
  owner: ContentOwner,
  context: DocumentContext,
): readonly MediaType[] {
  const declared = members(located, "content");
  const methodNames = toMethodNames(declared.map(({ name }) => name));
  return declared.map((mediaType, index) => {
    const methodName = methodNames[index] ?? "";
    reportUnsupported(mediaType, owner, context);
    const kind = toMediaKind(mediaType.name);
    const isForm = owner.readsForms && (kind === "form" || kind === "multipart");
    return {
      name: mediaType.name,
      methodName,
      schema: buildSchema(mediaType, "schema", context),
      ...(isForm && { encoding: buildFormEncoding(mediaType, owner.label, context) }),
    };
  });
}

function reportUnsupported(
  { name, pointer }: Located & { readonly name: string },
  { label }: ContentOwner,
  { report }: DocumentContext,
): void {
  const charset = /;\s*charset="?([^";\s]*)/i.exec(name)?.[1] ?? "utf-8";
  const isUtf8 = toMediaKind(name) === "binary" || charset.toLowerCase() === "utf-8";
  if (isMediaType(name) && isUtf8) return;
  const reason = isMediaType(name) ? "its charset is not UTF-8" : "it is not a media type";
  report("media-type-unsupported", pointer, `Cannot serve ${label} as "${name}": ${reason}`);
}
