/** JSON pointers as URI fragments: `#/paths/~1pets/get` (RFC 6901, section 6). */

/** Escapes a key for a pointer. A percent sign is escaped too, because it would start an escape. */
export function escapeKey(key: string): string {
  // Documents have millions of keys, and few of them with such a character.
  if (!/[~/%]/.test(key)) return key;
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}

export function joinPointer(pointer: string, ...keys: readonly (string | number)[]): string {
  let joined = pointer;
  for (const key of keys) joined += `/${typeof key === "number" ? key : escapeKey(key)}`;
  return joined;
}

/** Splits a pointer into keys: `#/paths/~1pets` becomes `["paths", "/pets"]`. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeKey);
}

/** Returns the value that a pointer refers to, or undefined if there is none. */
export function getByPointer(document: object, pointer: string): unknown {
  if (!pointer.startsWith("#/")) return undefined;
  return parsePointer(pointer).reduce<unknown>(getValue, document);
}

/** Returns a member of a value; undefined if the value is not an object. */
export function getValue(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? getOwn(value, key) : undefined;
}

/** Returns an own member. An inherited `constructor` is not a member of a document. */
export function getOwn<Value>(
  value: Readonly<Record<string, Value>> | object,
  key: string,
): Value | undefined {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, Value>>)[key] : undefined;
}

/** Unescapes a key of a pointer. A percent sign that does not start an escape stays. */
export function unescapeKey(key: string): string {
  let decoded = key;
  if (key.includes("%")) {
    try {
      decoded = decodeURIComponent(key);
    } catch {
      // Authors often leave such keys unescaped.
    }
  }
  return decoded.includes("~") ? decoded.replaceAll("~1", "/").replaceAll("~0", "~") : decoded;
}
