import { crc32 } from "node:zlib";

const CHECKSUM_BYTES = 4;

/**
 * Encodes the opaque `cursor` of a page: a checksum and the `id` to continue after, in base64url. It is opaque so that its
 * content can change without breaking clients; it is not a secret. The checksum rejects modified cursors, which would skip pets
 * silently.
 */
export function encodeCursor(after: number): string {
  const text = String(after);
  const cursor = Buffer.alloc(CHECKSUM_BYTES + text.length);
  cursor.writeUInt32BE(crc32(`pets after ${text}`));
  cursor.write(text, CHECKSUM_BYTES, "latin1");
  return cursor.toString("base64url");
}

/** @returns the `id` to continue after; undefined for text that is not from {@link encodeCursor}. */
export function decodeCursor(cursor: string): number | undefined {
  const after = Number(Buffer.from(cursor, "base64url").subarray(CHECKSUM_BYTES).toString("utf8"));
  return Number.isSafeInteger(after) && after > 0 && encodeCursor(after) === cursor ? after : undefined;
}
