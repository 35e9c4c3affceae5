/** A member by a name of the contract's author, who may call an operation or a scheme `constructor` or `__proto__`. */
export function getMember<Value>(
  object: Readonly<Record<string, Value | undefined>>,
  name: string,
): Value | undefined {
  return name in Object.prototype && !Object.hasOwn(object, name) ? undefined : object[name];
}
