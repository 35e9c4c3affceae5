import type { CommandContext } from "./context.js";

/** Nobody needs to be told of what is over sooner, in milliseconds. */
const PATIENCE = 500;

/** To the start of the line, and erase it. */
const CLEAR = "\r\u001b[K";

/**
 * Runs something, and shows a line on a terminal while it takes longer than half a second. The line is gone afterwards; where
 * nobody watches there is none.
 * @param work Gets a function that says what it does now: `Generating v1`.
 * @param patience In milliseconds. 0 shows each step at once, for work that lets no timer run.
 */
export async function withProgress<Result>(
  { stderr }: CommandContext,
  work: (tell: (step: string) => void) => Promise<Result>,
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
