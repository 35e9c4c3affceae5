/** Number of arguments that every engine takes. */
const CHUNK = 8_192;

/** Converts bytes to text with a character for each byte. Does not need Node, which is faster. */
export function toBinaryString(bytes: Uint8Array): string {
  if (typeof Buffer === "function")
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  let text = "";
  for (let start = 0; start < bytes.byteLength; start += CHUNK)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return text;
}

/** Converts text of {@link toBinaryString} back to bytes. */
export function fromBinaryString(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}
