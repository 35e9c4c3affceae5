import { styleText } from "node:util";
import type { Output } from "./context.js";

export type Colour = "bold" | "dim" | "red" | "green" | "yellow";

export type Paint = (text: string, colour: Colour) => string;

/** Colours text on a terminal that supports it, unless the user turned colours off (`NO_COLOR`, `TERM=dumb`). */
export function createPaint(output: Output): Paint {
  if (output.hasColors?.() !== true) return (text) => text;
  // The output decides; by default styleText asks the process's standard output, and only on newer Node.js.
  return (text, colour) => styleText(colour, text, { validateStream: false });
}
