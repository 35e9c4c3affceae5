/**
 * An object that inherits nothing, so that what is absent is undefined whatever its name: `constructor` and `__proto__` are
 * names like any other. Made by a constructor and not by `Object.create(null)`, which the engine takes for a dictionary and
 * reads slowly.
 */
export const Values = function Values() {
  // Nothing: members are added one by one.
} as unknown as new () => Record<string, unknown>;

// The prototype of a function that is no class can be replaced.
Object.defineProperty(Values, "prototype", { value: Object.freeze(Object.create(null)) });
