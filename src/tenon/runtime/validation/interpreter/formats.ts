import { isInt32, isInt64, TEXT_FORMATS } from "../../../core/validation/index.js";

/** A format of strings or numbers. */
export type InterpretedFormat =
  | { readonly type: "string"; readonly test: (text: string) => boolean }
  | { readonly type: "number"; readonly test: (number: number) => boolean };

/** The formats that the compiled validator asserts, by name. */
export const INTERPRETED_FORMATS: Readonly<Record<string, InterpretedFormat>> = {
  ...Object.fromEntries(
    Object.entries(TEXT_FORMATS).map(([name, test]) => [name, { type: "string", test } as const]),
  ),
  int32: { type: "number", test: isInt32 },
  int64: { type: "number", test: isInt64 },
};
