import { fastFormats } from "ajv-formats/dist/formats.js";
import { NON_STANDARD_FORMATS } from "../../../core/schema/index.js";
import { DATE_FORMATS } from "../formats/date-formats.js";
import { URI_FORMATS } from "../formats/uri-formats.js";

/** A format of strings or numbers. */
export type InterpretedFormat =
  | { readonly type: "string"; readonly test: (text: string) => boolean }
  | { readonly type: "number"; readonly test: (number: number) => boolean };

/** The formats that the compiled validator asserts, by name. */
export const INTERPRETED_FORMATS: Readonly<Record<string, InterpretedFormat>> = Object.fromEntries(
  Object.entries({ ...fastFormats, ...DATE_FORMATS, ...URI_FORMATS }).flatMap(
    ([name, format]): [string, InterpretedFormat][] => {
      const test = toTest(format);
      if (test === undefined || (NON_STANDARD_FORMATS as readonly string[]).includes(name)) return [];
      const isNumber = typeof format === "object" && "type" in format && format.type === "number";
      return [[name, { type: isNumber ? "number" : "string", test }]];
    },
  ),
);

/** @returns undefined for a format that every value has. */
function toTest(format: unknown): ((value: unknown) => boolean) | undefined {
  if (format instanceof RegExp) return (value) => format.test(String(value));
  if (typeof format === "function") return format as (value: unknown) => boolean;
  return typeof format === "object" && format !== null && "validate" in format
    ? toTest(format.validate)
    : undefined;
}
