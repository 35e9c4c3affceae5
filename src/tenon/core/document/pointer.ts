/** JSON pointers as URI fragments: `#/paths/~1pets/get` (RFC 6901, section 6). */

/** A key as it stands in a pointer. A percent sign is escaped, because it would begin an escape. */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}

export function joinPointer(pointer: string, ...keys: readonly (string | number)[]): string {
  return [pointer, ...keys.map((key) => escapeKey(String(key)))].join("/");
}

/** Keys of a pointer: `#/paths/~1pets` is `["paths", "/pets"]`. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeKey);
}

/** What a pointer leads to; undefined where it leads nowhere. */
export function getByPointer(document: object, pointer: string): unknown {
  if (!pointer.startsWith("#/")) return undefined;
  return parsePointer(pointer).reduce<unknown>(getMember, document);
}

/** A member of what may be no object, which has none. */
export function getMember(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? getOwn(value, key) : undefined;
}

/** An inherited `constructor` is no member of a document. */
export function getOwn(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

/** The key that stands in a pointer. A percent sign that begins no escape is itself. */
export function unescapeKey(key: string): string {
  let decoded = key;
  if (key.includes("%")) {
    try {
      decoded = decodeURIComponent(key);
    } catch {
      // Authors write such keys as they are.
    }
  }
  return decoded.includes("~") ? decoded.replaceAll("~1", "/").replaceAll("~0", "~") : decoded;
}
