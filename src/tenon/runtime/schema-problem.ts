/** Compiles a JSON Schema; the subset of Ajv's interface that is needed. */
export type CompileSchema = (schema: object) => {
  (value: unknown): unknown;
  errors?: readonly SchemaProblem[] | null;
};

/** The members of Ajv's errors that are read. */
export interface SchemaProblem {
  /** JSON pointer of the value: `/size`; empty for the whole. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Leaves out that a condition's branch did not match: what did not match in it is told by itself. */
export function withoutConditions<Problem>(
  problems: readonly Problem[],
  toKeyword: (problem: Problem) => string | undefined,
): readonly Problem[] {
  const told = problems.filter((problem) => toKeyword(problem) !== "if");
  return told.length > 0 ? told : problems;
}

/** `must be equal to one of the allowed values` with the values. */
export function toMessage({ message = "is invalid", params }: SchemaProblem): string {
  const allowed = params["allowedValues"];
  return Array.isArray(allowed) ? `${message}: ${allowed.join(", ")}` : message;
}
