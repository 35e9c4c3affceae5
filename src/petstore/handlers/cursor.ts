/**
 * The opaque `cursor` of a page: where the list goes on, as base64url text. It is no secret and grants nothing; it is
 * opaque so that its content can change without breaking anybody.
 */
export function encodeCursor(after: number): string {
  return Buffer.from(String(after), "utf8").toString("base64url");
}

/** @returns the `id` to continue after; undefined for text that {@link encodeCursor} did not make. */
export function decodeCursor(cursor: string): number | undefined {
  const after = Number(Buffer.from(cursor, "base64url").toString("utf8"));
  return Number.isSafeInteger(after) && after > 0 && encodeCursor(after) === cursor ? after : undefined;
}
