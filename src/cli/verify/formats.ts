import type { JsonSchema } from "tenon/core/schema";

interface Format {
  /** The values of the format, as the validator checks them. */
  readonly schema: JsonSchema;
  /** Values that are not of the format, whatever its reader allows. Several, for schemas that also restrict the length. */
  readonly invalid: readonly (string | number)[];
}

const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})`;
const LABEL = String.raw`[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?`;
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const POINTER = "(?:/(?:[^~/]|~[01])*)*";

const text = (pattern: string, ...invalid: readonly string[]): Format => ({
  schema: { pattern: `^(?:${pattern})$` },
  invalid,
});

/** @param past The least round number past the limit. */
const range = (minimum: number, maximum: number, past: number): Format => ({
  schema: { minimum, maximum },
  invalid: [past],
});

/**
 * The formats that requests must have: those of JSON Schema and of OpenAPI that Tenon's runtime enforces, but for `regex`. Other
 * format names have no agreed meaning, or few services enforce them.
 */
export const REQUEST_FORMATS: ReadonlyMap<string, Format> = new Map([
  ["date", text(DAY, "surely-not-a-date", "2026-99-99")],
  ["time", text(TIME, "surely-not-a-time", "99:99:99Z")],
  ["date-time", text(`${DAY}[Tt]${TIME}`, "surely-not-a-date-time", "2026-99-99T99:99:99Z")],
  [
    "duration",
    text(
      String.raw`P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)`,
      "surely-not-a-duration",
      "1 h",
    ),
  ],
  ["email", text(String.raw`[^\s@]+@[^\s@]+`, "surely.not.an.email", "xxx")],
  ["hostname", text(String.raw`${LABEL}(?:\.${LABEL})*\.?`, "surely not a hostname", "-x-")],
  ["ipv4", text(String.raw`${BYTE}(?:\.${BYTE}){3}`, "surely-not-an-address", "999.999.999.999")],
  ["ipv6", text(String.raw`[\dA-Fa-f.]*:[\dA-Fa-f:.]*`, "surely-not-an-address", "x")],
  ["uri", text(String.raw`[A-Za-z][A-Za-z\d+.-]*:\S*`, "surely not a URI", "x y")],
  ["uri-reference", text(String.raw`[^\s\\]*`, "surely not a URI", "x y")],
  ["uri-template", text(String.raw`(?:[^\s{}]|\{[^\s{}]+\})*`, "surely-not-{closed", "{")],
  [
    "uuid",
    text(
      String.raw`[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}`,
      "surely-not-a-uuid",
      "surelyno-tauu-idxx-xxxx-xxxxxxxxxxxx",
    ),
  ],
  ["json-pointer", text(POINTER, "surely-not-a-pointer", "x")],
  ["relative-json-pointer", text(String.raw`(?:0|[1-9]\d*)(?:#|${POINTER})`, "surely-not-a-pointer", "x")],
  [
    "byte",
    text(
      String.raw`(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?`,
      "surely not base64!",
      "????",
    ),
  ],
  ["int32", range(-(2 ** 31), 2 ** 31 - 1, 2 ** 31)],
  ["int64", range(-(2 ** 63), 2 ** 63, 2 ** 64)],
]);

const toSchemas = (formats: Iterable<readonly [string, Format]>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries([...formats].map(([name, { schema }]) => [name, schema]));

/** Schemas that the validator adds for formats, by side. In responses, only formats that clients parse are checked. */
export const FORMAT_SCHEMAS = {
  request: toSchemas(REQUEST_FORMATS),
  response: {
    ...toSchemas([...REQUEST_FORMATS].filter(([name]) => name === "date" || name === "uuid")),
    "date-time": { pattern: `^${DAY}[Tt ]${TIME}$` },
  },
} as const;
