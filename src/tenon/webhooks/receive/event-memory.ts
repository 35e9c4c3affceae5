/**
 * Remembers handled events, so that each is handled once although its sender repeats it. Times are milliseconds since 1970.
 * {@link createEventMemory} keeps them in the process, `createSqliteEventMemory` in a database.
 * @example
 * const memory: EventMemory = createEventMemory({ max: 100_000 });
 */
export interface EventMemory {
  /**
   * Claims an event for handling.
   * @returns `new` for the one caller that must handle it, `running` while that caller does, and `done` afterwards.
   */
  claim(id: string, now: number): EventState | Promise<EventState>;
  /** Keeps that the event was handled. */
  complete(id: string, now: number): void | Promise<void>;
  /** Forgets a claim whose handler failed: the event is to be sent again. */
  release(id: string): void | Promise<void>;
}

/**
 * The state of an event that arrives.
 * @example
 * const state: EventState = "new";
 */
export type EventState = "new" | "running" | "done";

/**
 * The options of {@link createEventMemory}.
 * @example
 * const options: EventMemoryOptions = { max: 1_000, keep: 3_600_000 };
 */
export interface EventMemoryOptions {
  /** Maximum number of remembered events; the oldest ones are forgotten first. Default: 10,000. */
  readonly max?: number;
  /** Milliseconds that an event is remembered. Default: 3 days, the time for which many senders try again. */
  readonly keep?: number;
}

export const KEEP = 3 * 24 * 60 * 60 * 1_000;

/** Milliseconds after which a claim without an end is given to the next caller: its process has ended. */
export const CLAIM = 5 * 60 * 1_000;

/**
 * Creates a memory in this process, for development and for services with one process. It is lost when the process ends.
 * @example
 * const hooks = createWebhooks(webhooks, { secret, handlers: {}, unknown, memory: createEventMemory({ max: 100_000 }) });
 */
export function createEventMemory({ max = 10_000, keep = KEEP }: EventMemoryOptions = {}): EventMemory {
  // In order of their last change: the first is the oldest.
  const events = new Map<string, { readonly state: "running" | "done"; readonly until: number }>();
  const set = (id: string, state: "running" | "done", until: number): void => {
    events.delete(id);
    events.set(id, { state, until });
    const [oldest] = events.keys();
    if (events.size > max && oldest !== undefined) events.delete(oldest);
  };
  return {
    claim: (id, now) => {
      const known = events.get(id);
      if (known !== undefined && known.until > now) return known.state;
      set(id, "running", now + CLAIM);
      return "new";
    },
    complete: (id, now) => {
      set(id, "done", now + keep);
    },
    release: (id) => {
      events.delete(id);
    },
  };
}
