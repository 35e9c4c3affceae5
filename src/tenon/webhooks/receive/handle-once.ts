import type { EventMemory } from "./event-memory.js";
import type { VerifiedMessage } from "../signatures/signature.js";

/** Runs a function for an event, unless it was run before (`done`) or is running elsewhere (`busy`). */
export type Once = <Result>(
  verified: VerifiedMessage,
  run: () => Promise<Result>,
  isHandled: (result: Result) => boolean,
) => Promise<Result | "done" | "busy">;

export function createOnce(memory: EventMemory, now: () => number): Once {
  return async ({ id }, run, isHandled) => {
    if (id === undefined) return run();
    const state = await memory.claim(id, now());
    if (state !== "new") return state === "done" ? "done" : "busy";
    let result: Awaited<ReturnType<typeof run>>;
    try {
      result = await run();
    } catch (error) {
      await memory.release(id);
      throw error;
    }
    await (isHandled(result) ? memory.complete(id, now()) : memory.release(id));
    return result;
  };
}
