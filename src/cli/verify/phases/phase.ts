import type { TargetOperation } from "../target.js";
import type { Trial } from "../trial.js";

/** Tries one operation in one way. */
export type PhaseRun = (operation: TargetOperation, trial: Trial) => Promise<void>;
