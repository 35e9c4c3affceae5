/** The phases of a run. */
import type { Phase } from "../messages/index.js";
import type { RunPhase } from "../run/run.js";
import { runAccess } from "./access.js";
import { runCallbacks } from "./callbacks.js";
import { runBoundaries, runExamples, runInvalid, runValid } from "./single-requests.js";
import { runSequences } from "./sequences.js";

export const RUN_PHASE: Readonly<Record<Phase, RunPhase>> = {
  examples: runExamples,
  boundaries: runBoundaries,
  access: runAccess,
  valid: runValid,
  invalid: runInvalid,
  sequences: runSequences,
  callbacks: runCallbacks,
};
