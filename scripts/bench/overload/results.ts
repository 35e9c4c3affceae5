/** What is measured, in the order of the tables. */
export const KINDS = {
  refusing: { server: "tenon", title: "The service", env: {} },
  waiting: {
    server: "tenon",
    title: "The service without its limits",
    env: { MAX_EVENT_LOOP_DELAY_MS: "60000", MAX_IN_FLIGHT: "1000000" },
  },
  express: { server: "express", title: "The same contract on plain Express", env: {} },
} as const satisfies Readonly<
  Record<string, { server: string; title: string; env: Readonly<Record<string, string>> }>
>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** Load as a multiple of capacity. */
export const FACTORS = [0.5, 0.8, 1, 1.5, 2, 3];

/** Who is answered later than so many milliseconds has gone. */
export const GOOD_WITHIN = 1_000;

/** What became of the requests of one slice. */
export interface Point {
  readonly factor: number;
  /** Requests that were due, a second. */
  readonly offered: number;
  /** Requests that were answered with 200 within {@link GOOD_WITHIN}, a second. */
  readonly good: number;
  /** Milliseconds from when a request was due to its 200; NaN when there is none. */
  readonly p50: number;
  readonly p99: number;
  /** Parts of all that were due: answered 503, and without any answer. */
  readonly refused: number;
  readonly unanswered: number;
}

export interface Curve {
  /** Requests a second that 32 callers get who each wait for their answer. */
  readonly capacity: number;
  readonly points: readonly Point[];
}

export type Curves = Readonly<Record<Kind, Curve>>;
