/** Reads a member by a name of the contract, where an operation or scheme may be named `constructor` or `__proto__`. */
export function getMember<Value>(
  object: Readonly<Record<string, Value | undefined>>,
  name: string,
): Value | undefined {
  return name in Object.prototype && !Object.hasOwn(object, name) ? undefined : object[name];
}
