/** The phases of a run. */
import type { Phase } from "../messages/index.js";
import type { RunPhase } from "../run/index.js";
import { runAccess } from "./access.js";
import { runBoundaries } from "./boundaries.js";
import { runExamples } from "./examples.js";
import { runInvalid, runValid } from "./random.js";
import { runSequences } from "./sequences.js";

export const RUN_PHASE: Readonly<Record<Phase, RunPhase>> = {
  examples: runExamples,
  boundaries: runBoundaries,
  access: runAccess,
  valid: runValid,
  invalid: runInvalid,
  sequences: runSequences,
};
