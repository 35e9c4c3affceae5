import type { CommandContext } from "./context.js";

/** Nobody needs to be told of what is over sooner, in milliseconds. */
const PATIENCE = 500;

/**
 * Runs something, and shows a line on a terminal while it takes longer than half a second. The line is gone afterwards; where
 * nobody watches there is none.
 * @param work Gets a function that says what it does now: `Generating v1`.
 */
export async function withProgress<Result>(
  { stderr }: CommandContext,
  work: (tell: (step: string) => void) => Promise<Result>,
): Promise<Result> {
  if (stderr.isTTY !== true) return work(() => undefined);
  let shown = false;
  let current = "";
  const show = () => {
    shown = true;
    stderr.write(`\r\u001b[K${current} …`);
  };
  const timer = setTimeout(show, PATIENCE);
  try {
    return await work((step) => {
      current = step;
      if (shown) show();
    });
  } finally {
    clearTimeout(timer);
    if (shown) stderr.write("\r\u001b[K");
  }
}
