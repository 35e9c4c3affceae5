// Stands for `@jest/globals` in tests; see runner.js.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for("jest-globals")];
