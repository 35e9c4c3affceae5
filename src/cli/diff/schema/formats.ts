import { type Node, toText } from "tenon/core/legacy/document";

/** Formats that say how a value is to be shown, and nothing of what it may be. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(["password"]);

/** Each format with those that have all of its values too. */
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

/** The format of a schema; 3.1 has `contentEncoding` and `contentMediaType` where 3.0 has `byte` and `binary`. */
export function readFormats(node: Node): readonly string[] {
  const format = toText(node["format"]);
  const encoding = toText(node["contentEncoding"]);
  if (format !== undefined) return SHOWN_ONLY.has(format) ? [] : [format];
  const mediaType = toText(node["contentMediaType"]);
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

/** Whether every value of some of these formats has another format too. */
export function impliesFormat(formats: readonly string[], wanted: string): boolean {
  return formats.some(
    (format) => format === wanted || (isKnownFormat(format) && WIDER[format]?.includes(wanted) === true),
  );
}
