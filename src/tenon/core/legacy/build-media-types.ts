import { toMediaKind } from "../http/media-type.js";
import { buildForm } from "./build-form.js";
import { buildSchema } from "./build-schema.js";
import { type DocumentContext, type Located, members } from "./document.js";
import { toMethodNames } from "./media-type-names.js";
import { reportMediaType } from "./media-type-problem.js";
import type { MediaType, NamedSchema } from "./model.js";

/** Whose content it is. */
export interface ContentOwner {
  /** Completes `Cannot serve …`: `the request body of POST /pets`. */
  readonly label: string;
  /** Components, where the fields of forms are read, as those of requests are; a response's form is bytes. */
  readonly formSchemas?: ReadonlyMap<string, NamedSchema> | undefined;
}

/**
 * Builds the media types of a request body or response. What cannot be read or written is reported.
 * @see https://spec.openapis.org/oas/v3.1.0#media-type-object
 */
export function buildMediaTypes(
  located: Located,
  { label, formSchemas: schemas }: ContentOwner,
  context: DocumentContext,
): readonly MediaType[] {
  const declared = members(located, "content");
  const methodNames = toMethodNames(declared.map(({ name }) => name));
  return declared.map((mediaType, index) => {
    const { name } = mediaType;
    reportMediaType(mediaType, `Cannot serve ${label}`, context);
    const schema = buildSchema(mediaType, "schema", context);
    const kind = toMediaKind(name);
    const isForm = schemas !== undefined && (kind === "form" || kind === "multipart");
    return {
      name,
      methodName: methodNames[index] ?? "",
      schema,
      ...(isForm && { form: buildForm(mediaType, { label, kind, schema }, { ...context, schemas }) }),
    };
  });
}
