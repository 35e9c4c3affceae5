import type { Readable } from "node:stream";
import type { FormField } from "../../core/model/index.js";
import { type Schema, type SchemaRegistry, toFileSchema } from "../../core/schema/index.js";
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
 * A form as its schema describes it: a file is a string with a character for each byte.
 * @param unrestricted Fields whose schema allows any file of their size, with the least one: a file on the disk is not read.
 */
export function withoutFiles(form: FormValues, unrestricted: ReadonlyMap<string, number>): FormValues {
  const toDescribed = (value: unknown, name: string): unknown => {
    if (!(value instanceof ReceivedFile)) return value;
    const least = value.isOnDisk ? unrestricted.get(name) : undefined;
    return least === undefined ? toBinaryString(value.bytes) : "\0".repeat(least);
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
  ...(["enum", "pattern", "not", "if", "never", "dynamicReference"] as const),
];
const OF_SIZE: readonly (keyof Schema)[] = ["minLength", "maxLength"];

/** Finds the fields of a form whose schema allows any file of their size, with the least number of bytes. */
export function findUnrestricted(
  schema: Schema | undefined,
  fields: readonly FormField[],
  registry: SchemaRegistry,
): ReadonlyMap<string, number> {
  const parts = schema === undefined ? [] : [...registry.parts(schema)];
  if (!parts.every((part) => Object.keys(part).every((key) => OF_FORM.includes(key as keyof Schema))))
    return new Map();
  return new Map(
    fields.flatMap(({ name, schema: own, type, size }) => {
      const one = type === "file" || type === "files" ? toFileSchema(own, type, registry) : undefined;
      // The size of these is checked while they arrive.
      const sized = one === undefined ? new Set<Schema>() : registry.parts(one);
      const isRestricting = (inner: Schema): boolean =>
        OF_CONTENTS.some((key) => inner[key] !== undefined) ||
        (inner.format ?? "binary") !== "binary" ||
        (!sized.has(inner) && OF_SIZE.some((key) => inner[key] !== undefined));
      const declared = parts.flatMap(({ properties = {} }) => properties[name] ?? []);
      return [...registry.walk(declared)].some(isRestricting) ? [] : [[name, size?.min ?? 0] as const];
    }),
  );
}
