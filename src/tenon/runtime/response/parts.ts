import { findPosition, formatPartHead, isPart, type Positions, toPartText } from "../../core/http/parts.js";
import { toBinaryString } from "../http/binary-string.js";
import type { ItemFormatter } from "./items.js";

/**
 * Creates the formatter of the parts of one response. The delimiter follows each part at once, so that the client knows its end before
 * there is another one. A character stands for a byte.
 */
export function createPartFormatter(positions: Positions): ItemFormatter {
  const boundary = crypto.randomUUID();
  const start = `--${boundary}`;
  return {
    toContentType: (mediaType) => `${mediaType}; boundary=${boundary}`,
    format: (item, index) => (index === 0 ? start : "") + formatPart(item, index, positions) + `\r\n${start}`,
    end: (count) => `${count === 0 ? start : ""}--\r\n`,
  };
}

/** @throws {TypeError} for a part that cannot be written. */
function formatPart(item: unknown, index: number, positions: Positions): string {
  if (!isPart(item)) throw new TypeError(`Part ${index + 1} must be an object with a value`);
  const position = findPosition(positions, index);
  const inner = createInner(item.value, position?.parts);
  const { kind, head } = formatPartHead(item, position, index, inner?.boundary);
  const start = toBytes(head);
  if (kind === "parts") return start + (inner?.text ?? "");
  if (kind !== "binary") return start + toBytes(toPartText(kind, item.value));
  const { value } = item;
  if (typeof value === "string") return start + toBytes(value);
  if (!ArrayBuffer.isView(value)) throw new TypeError(`The value of part ${index + 1} must be bytes`);
  return start + toBinaryString(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
}

function createInner(value: unknown, positions: Positions | undefined) {
  if (positions === undefined || !Array.isArray(value)) return undefined;
  const boundary = crypto.randomUUID();
  const start = `--${boundary}`;
  const parts = value.map((part, index) => `${start}${formatPart(part, index, positions)}\r\n`);
  return { boundary, text: `${parts.join("")}${start}--\r\n` };
}

function toBytes(text: string): string {
  return toBinaryString(new TextEncoder().encode(text));
}
