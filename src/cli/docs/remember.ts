/** Creates a function that makes the result for each object once, and keeps it as long as the object. */
export function remember<Key extends object, Result extends object | string>(
  make: (key: Key) => Result,
): (key: Key) => Result {
  const known = new WeakMap<Key, Result>();
  return (key) => {
    const result = known.get(key) ?? make(key);
    known.set(key, result);
    return result;
  };
}
