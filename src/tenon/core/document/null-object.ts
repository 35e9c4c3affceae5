/**
 * An object without a prototype: absent members are undefined, also `constructor` and `__proto__`. It has a constructor because V8
 * treats the result of `Object.create(null)` as a dictionary, which is slow to read.
 */
export const NullObject = function NullObject() {
  // Empty: members are added later.
} as unknown as new () => Record<string, unknown>;

// Only the prototype of a function can be replaced, not that of a class.
Object.defineProperty(NullObject, "prototype", { value: Object.freeze(Object.create(null)) });

/** Reads a member by a name of the contract, where an operation or scheme may be named `constructor` or `__proto__`. */
export function getMember<Value>(
  object: Readonly<Record<string, Value | undefined>>,
  name: string,
): Value | undefined {
  return name in Object.prototype && !Object.hasOwn(object, name) ? undefined : object[name];
}
