import { describe, expect, test } from "@jest/globals";

/** One row: what is told, what goes in, and the exact text that comes out. */
export type Row<Given> = readonly [name: string, given: Given, want: string];

/** The one loop over all given/want tables of `emit`. */
export function testEmit<Given>(
  name: string,
  emit: (given: Given) => string,
  rows: readonly Row<Given>[],
): void {
  describe(name, () => {
    test.each(rows)("%s", (_, given, want) => {
      expect(emit(given)).toBe(want);
    });
  });
}
