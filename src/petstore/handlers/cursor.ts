import { crc32 } from "node:zlib";

const CHECKSUM_BYTES = 4;

/**
 * The opaque `cursor` of a page: a checksum and where the list goes on, as base64url text. It is no secret and grants
 * nothing; it is opaque so that its content can change without breaking anybody. The checksum makes one that was changed
 * or made up an error: it would silently skip animals.
 */
export function encodeCursor(after: number): string {
  const text = String(after);
  const cursor = Buffer.alloc(CHECKSUM_BYTES + text.length);
  cursor.writeUInt32BE(crc32(`pets after ${text}`));
  cursor.write(text, CHECKSUM_BYTES, "latin1");
  return cursor.toString("base64url");
}

/** @returns the `id` to continue after; undefined for text that {@link encodeCursor} did not make. */
export function decodeCursor(cursor: string): number | undefined {
  const after = Number(Buffer.from(cursor, "base64url").subarray(CHECKSUM_BYTES).toString("utf8"));
  return Number.isSafeInteger(after) && after > 0 && encodeCursor(after) === cursor ? after : undefined;
}
