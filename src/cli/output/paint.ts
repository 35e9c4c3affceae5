import type { Output } from "./context.js";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof CODES;

export type Paint = (text: string, colour: Colour) => string;

/** Colours text on a terminal that has colours, unless whoever watches wants none (`NO_COLOR`, `TERM=dumb`). */
export function createPaint(output: Output): Paint {
  if (output.hasColors?.() !== true) return (text) => text;
  return (text, colour) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;
}
