import type { Schema } from "tenon/core/schema";

/** Formats with the formats that contain all of their values. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  int32: ["int64"],
  float: ["double"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
  uri: ["uri-reference", "iri", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
};

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.entries(WIDER).flat(2),
  ...["date", "date-time", "time", "duration", "ipv4", "ipv6", "uri-template", "uuid"],
  ...["json-pointer", "relative-json-pointer", "regex", "byte", "binary"],
]);

/** Reads the format of a schema; `byte` and `binary` stand for `contentEncoding` and `contentMediaType`, too. */
export function readFormats({
  format,
  contentEncoding: encoding,
  contentMediaType: mediaType,
}: Schema): readonly string[] {
  // `password` only affects how a value is displayed.
  if (typeof format === "string") return format === "password" ? [] : [format];
  const isBytes = mediaType === "application/octet-stream";
  return [
    ...(encoding === undefined ? [] : [encoding === "base64" ? "byte" : `content encoding ${encoding}`]),
    ...(mediaType === undefined || (isBytes && encoding !== undefined)
      ? []
      : [isBytes ? "binary" : `content ${mediaType}`]),
  ];
}

export function isKnownFormat(format: string): boolean {
  return KNOWN.has(format);
}

/** Tests whether all values of these formats have another format, too. */
export function impliesFormat(formats: readonly string[], wanted: string): boolean {
  return formats.some(
    (format) => format === wanted || (isKnownFormat(format) && WIDER[format]?.includes(wanted) === true),
  );
}
