import type { Schema } from "tenon/core/schema";

/** Formats that only affect how a value is displayed. */
const DISPLAY_ONLY: ReadonlySet<string> = new Set(["password"]);

/** Known formats, each with the formats that contain all of its values. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  int32: ["int64"],
  int64: [],
  float: ["double"],
  double: [],
  date: [],
  "date-time": [],
  time: [],
  duration: [],
  email: ["idn-email"],
  "idn-email": [],
  hostname: ["idn-hostname"],
  "idn-hostname": [],
  ipv4: [],
  ipv6: [],
  uri: ["uri-reference", "iri", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
  "iri-reference": [],
  "uri-template": [],
  uuid: [],
  "json-pointer": [],
  "relative-json-pointer": [],
  regex: [],
  byte: [],
  binary: [],
};

/** Reads the format of a schema; `byte` and `binary` stand for `contentEncoding` and `contentMediaType`, too. */
export function readFormats({
  format,
  contentEncoding: encoding,
  contentMediaType: mediaType,
}: Schema): readonly string[] {
  if (typeof format === "string") return DISPLAY_ONLY.has(format) ? [] : [format];
  const isBytes = mediaType === "application/octet-stream";
  return [
    ...(encoding === undefined ? [] : [encoding === "base64" ? "byte" : `content encoding ${encoding}`]),
    ...(mediaType === undefined || (isBytes && encoding !== undefined)
      ? []
      : [isBytes ? "binary" : `content ${mediaType}`]),
  ];
}

export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(WIDER, format);
}

/** Tests whether all values of these formats have another format, too. */
export function impliesFormat(formats: readonly string[], wanted: string): boolean {
  return formats.some(
    (format) => format === wanted || (isKnownFormat(format) && WIDER[format]?.includes(wanted) === true),
  );
}
