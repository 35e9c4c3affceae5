/** Size limit of a cache, because callers choose the keys. */
const MOST_REMEMBERED = 100;

/**
 * Caches the results of a function of a text, such as a header that is the same in nearly every request. Errors are not cached.
 * @param longest Longer texts are not cached.
 */
export function memoize<Value>(make: (text: string) => Value, longest = 256): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = make(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    if (text.length <= longest) known.set(text, value);
    return value;
  };
}
