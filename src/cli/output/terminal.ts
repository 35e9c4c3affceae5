import { styleText } from "node:util";
import type { CommandContext, Output } from "./context.js";

export type Colour = "bold" | "dim" | "red" | "green" | "yellow";

export type Paint = (text: string, colour: Colour) => string;

/** Colours text on a terminal that supports it, unless the user turned colours off (`NO_COLOR`, `TERM=dumb`). */
export function createPaint(output: Output): Paint {
  if (output.hasColors?.() !== true) return (text) => text;
  // The output decides; by default styleText asks the process's standard output, and only on newer Node.js.
  return (text, colour) => styleText(colour, text, { validateStream: false });
}

/** Shorter work is done without a progress line, in milliseconds. */
const PATIENCE = 500;

/** Moves to the start of the line and erases it. */
const CLEAR = "\r\u001b[K";

/**
 * Runs some work, and shows its current step on a terminal if it takes longer than half a second. The line is removed afterwards.
 * @param work Gets a function that reports the current step: `Generating v1`.
 * @param patience In milliseconds. 0 shows each step at once, for work that blocks timers.
 */
export async function withProgress<Result>(
  { stderr }: CommandContext,
  work: (report: (step: string) => void) => Promise<Result>,
  patience = PATIENCE,
): Promise<Result> {
  if (stderr.isTTY !== true) return work(() => undefined);
  const line = { step: "", shown: patience === 0 };
  const show = () => {
    line.shown = true;
    stderr.write(`${CLEAR}${line.step} …`);
  };
  const timer = setTimeout(show, patience);
  try {
    return await work((step) => {
      line.step = step;
      if (line.shown) show();
    });
  } finally {
    clearTimeout(timer);
    if (line.shown) stderr.write(CLEAR);
  }
}
