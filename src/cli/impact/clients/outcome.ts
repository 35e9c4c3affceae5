export interface Difference {
  /** Below the compared value: `.limit`, `[].name`; empty for the value itself. */
  readonly at: string;
  /** The rest of a sentence that begins with the place: `is required now`. */
  readonly message: string;
}

/** The result of comparing two types. */
export interface Outcome {
  readonly differences: readonly Difference[];
  /** Depth of the outermost unfinished comparison that it depends on; `Infinity` when it depends on none. */
  readonly depends: number;
}

export const NO_DIFFERENCE: Outcome = { differences: [], depends: Infinity };

export function differ(message: string): Outcome {
  return { differences: [{ at: "", message }], depends: Infinity };
}

export function below(at: string, { differences, depends }: Outcome): Outcome {
  return { differences: differences.map((found) => ({ ...found, at: at + found.at })), depends };
}

export function merge(outcomes: readonly Outcome[]): Outcome {
  return {
    differences: outcomes.flatMap(({ differences }) => differences),
    depends: Math.min(Infinity, ...outcomes.map(({ depends }) => depends)),
  };
}
