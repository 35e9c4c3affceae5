import type { Readable } from "node:stream";
import type { FormField } from "../../core/model/index.js";
import type { Schema, SchemaRegistry } from "../../core/schema/index.js";
import { toBinaryString } from "../http/binary-string.js";

/**
 * A file of a `multipart/form-data` body, or a part of another multipart body. Handlers get it as the value of a field or part whose
 * schema describes binary content.
 * @example
 * const describeFile = ({ filename, mediaType, size }: FormFile) => `${filename}: ${size} bytes of ${mediaType}`;
 */
export interface FormFile {
  /** File name sent by the client, without folders; empty if it sent none. Do not use it as a path. */
  readonly filename: string;
  /** Media type sent by the client, without parameters. */
  readonly mediaType: string;
  /** Number of bytes. */
  readonly size: number;
  /** The contents. A file larger than `memoryLimit` is read from the disk, at once and each time. */
  readonly bytes: Uint8Array;
  /** Reads the contents piece by piece, until the response is sent, or the next part of a stream is read. */
  stream(): Readable;
}

/** A file as it was received. How it is kept depends on where the runtime runs. */
export abstract class ReceivedFile implements FormFile {
  abstract readonly isOnDisk: boolean;
  abstract readonly bytes: Uint8Array;

  constructor(
    readonly filename: string,
    readonly mediaType: string,
    readonly size: number,
  ) {}

  abstract stream(): Readable;
}

/** Fields of a form by name; one that is repeated has an array. */
export type FormValues = Readonly<Record<string, unknown>>;

/**
 * A form as its schema describes it: a file is a string with a character for each byte, so that `maxLength` bounds its size.
 * @param unrestricted Fields whose schema allows any file: one on the disk is not read.
 */
export function withoutFiles(form: FormValues, unrestricted: ReadonlySet<string>): FormValues {
  const toDescribed = (value: unknown, name: string): unknown => {
    if (!(value instanceof ReceivedFile)) return value;
    return value.isOnDisk && unrestricted.has(name) ? "" : toBinaryString(value.bytes);
  };
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => toDescribed(item, name)) : toDescribed(value, name),
    ]),
  );
}

/** Puts the files of `sent` back into a form that was validated without them, and may have received defaults. */
export function withFiles(validated: FormValues, sent: FormValues): FormValues {
  const files = Object.entries(sent).filter(([, value]) =>
    [value].flat().some((item) => item instanceof ReceivedFile),
  );
  return { ...validated, ...Object.fromEntries(files) };
}

/** Keywords of a form that do not depend on the contents of its fields. */
const OF_FORM: readonly (keyof Schema)[] = [
  ...(["pointer", "reference", "allOf", "type", "properties", "required", "additionalProperties"] as const),
  ...(["title", "description", "default", "examples", "lifecycle"] as const),
];

/** Keywords that a string may violate. */
const OF_CONTENTS: readonly (keyof Schema)[] = [
  ...(["enum", "minLength", "maxLength", "pattern", "not", "if", "never", "dynamicReference"] as const),
];

/** Finds the fields of a form whose schema allows any file. */
export function findUnrestricted(
  schema: Schema | undefined,
  fields: readonly FormField[],
  registry: SchemaRegistry,
): ReadonlySet<string> {
  const parts = schema === undefined ? [] : [...registry.parts(schema)];
  if (!parts.every((part) => Object.keys(part).every((key) => OF_FORM.includes(key as keyof Schema))))
    return new Set();
  const isRestricting = (one: Schema): boolean =>
    OF_CONTENTS.some((key) => one[key] !== undefined) || (one.format ?? "binary") !== "binary";
  return new Set(
    fields
      .map(({ name }) => name)
      .filter((name) => {
        const declared = parts.flatMap(({ properties = {} }) => properties[name] ?? []);
        return ![...registry.walk(declared)].some(isRestricting);
      }),
  );
}
