/** A compiled JSON Schema; the subset of Ajv's interface that is needed. */
export interface Validate {
  (value: unknown): unknown;
  errors?: readonly SchemaProblem[] | null;
}

/** The members of Ajv's errors that are read. */
export interface SchemaProblem {
  /** JSON pointer of the value: `/size`; empty for the whole. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** Of a problem with a property's name, and not with its value. */
  readonly propertyName?: string;
  /** The keyword's value. */
  readonly schema?: unknown;
  /** What the keyword is in. */
  readonly parentSchema?: unknown;
}

/** What is wrong with a value, for people. */
export interface ToldProblem {
  /** Names and indexes that lead to it. */
  readonly path: readonly string[];
  /** Completes `Field "size" …`. */
  readonly text: string;
}

/** `/tags/0` has `tags` and `0`. */
export function toKeys(pointer: string): readonly string[] {
  const keys = pointer.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
