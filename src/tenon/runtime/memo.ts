/** Callers choose the keys: what is remembered must not grow with them. */
const MOST_REMEMBERED = 100;

/**
 * Remembers what a function makes of a text, such as a header that nearly every request has alike. What throws is not remembered.
 * @param longest A longer text is not remembered.
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
