import { type Level, LEVELS } from "../change.js";
import type { DiffLevel } from "./options.js";

/** Whether a change of a level fails the command. */
export function fails(level: Level, failOn: DiffLevel): boolean {
  return failOn !== "none" && LEVELS.indexOf(level) <= LEVELS.indexOf(failOn);
}
