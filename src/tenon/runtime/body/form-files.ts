/**
 * A file of a `multipart/form-data` body. Handlers get it as the value of a field whose schema describes binary content.
 * @example
 * const describeFile = ({ filename, mediaType, bytes }: FormFile) => `${filename}: ${bytes.byteLength} bytes of ${mediaType}`;
 */
export class FormFile {
  constructor(
    /** File name sent by the client, without folders; empty if it sent none. Do not use it as a path. */
    readonly filename: string,
    /** As the client states it, without parameters. */
    readonly mediaType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** Fields of a form by name; one that is repeated has an array. */
export type FormValues = Readonly<Record<string, unknown>>;

/**
 * A form as its schema describes it: a file is a string with a character for each byte, so that `maxLength` bounds its size.
 */
export function withoutFiles(form: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(toDescribed) : toDescribed(value),
    ]),
  );
}

/** Puts the files of `sent` back into a form that was validated without them, and may have got defaults. */
export function withFiles(validated: FormValues, sent: FormValues): FormValues {
  const files = Object.entries(sent).filter(([, value]) =>
    [value].flat().some((item) => item instanceof FormFile),
  );
  return { ...validated, ...Object.fromEntries(files) };
}

function toDescribed(value: unknown): unknown {
  return value instanceof FormFile ? Buffer.from(value.bytes).toString("latin1") : value;
}
