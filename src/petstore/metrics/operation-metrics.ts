import type { Phase, RequestObserver } from "tenon/runtime";
import { type Histogram, type InstrumentFamily, MOST_SERIES, type Tally } from "./instruments.js";

/** Methods that have a label of their own: callers choose them. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "none"]);

/** In the place of a status: the caller left before the end. */
export const ABORTED = 0;

/** Those of the runtime in their order, and `http`, which is all the rest of a request's time. */
const PHASES = ["authentication", "request", "handler", "response", "http"] satisfies readonly Phase[];

/** Place of `http` in {@link PHASES}. */
export const HTTP = 4;

export interface OperationFamilies {
  readonly requests: InstrumentFamily<Tally>;
  readonly durations: InstrumentFamily<Histogram>;
  readonly phases: InstrumentFamily<Histogram>;
  readonly deprecated: InstrumentFamily<Tally>;
}

/** The instruments of one operation, found once: what looks them up for each request costs more than what counts. */
export class OperationMetrics {
  readonly duration: Histogram;
  readonly #requests: InstrumentFamily<Tally>;
  /** By method and status. */
  readonly #counts = new Map<string, Map<number, Tally>>();
  readonly #phases: InstrumentFamily<Histogram>;
  /** In the order of {@link PHASES}. */
  readonly #byPhase: Histogram[] = [];
  readonly #deprecated: InstrumentFamily<Tally>;
  readonly #byKey = new Map<string, Tally>();

  constructor(
    readonly id: string,
    private readonly isDeprecated: boolean,
    { requests, durations, phases, deprecated }: OperationFamilies,
  ) {
    this.#requests = requests;
    this.#phases = phases;
    this.#deprecated = deprecated;
    this.duration = durations.of(id);
  }

  /** Counts requests that are over. @param status {@link ABORTED} for a caller that left. */
  count(method: string, status: number, requests = 1): void {
    const counts = this.#counts.get(method) ?? this.#addMethod(method);
    const count = counts.get(status) ?? this.#addStatus(counts, method, status);
    count.value += requests;
  }

  /** Counts a request with a valid key, where the operation is deprecated. */
  use(keyId: string): void {
    if (!this.isDeprecated) return;
    let count = this.#byKey.get(keyId);
    if (count === undefined) {
      count = this.#deprecated.of(this.id, keyId);
      if (this.#byKey.size < MOST_SERIES) this.#byKey.set(keyId, count);
    }
    count.value += 1;
  }

  /** @returns the instrument of a phase. @param index In {@link PHASES}. */
  phase(index: number): Histogram {
    return (this.#byPhase[index] ??= this.#phases.of(this.id, PHASES[index] ?? ""));
  }

  #addMethod(sent: string): Map<number, Tally> {
    const method = METHODS.has(sent) ? sent : "other";
    const counts = this.#counts.get(method) ?? new Map<number, Tally>();
    this.#counts.set(method, counts);
    return counts;
  }

  #addStatus(counts: Map<number, Tally>, sent: string, status: number): Tally {
    const method = METHODS.has(sent) ? sent : "other";
    const count = this.#requests.of(this.id, method, status === ABORTED ? "aborted" : String(status));
    counts.set(status, count);
    return count;
  }
}

/** When the phases of one request began: in the order of {@link PHASES}, which an observer hears of them in. */
export class OperationTimes implements RequestObserver {
  // Numbers and nothing else, so that the engine keeps them in place; not a number for what has not happened.
  private readonly times = [NaN, NaN, NaN, NaN, NaN];
  private entered = 0;

  constructor(readonly metrics: OperationMetrics) {}

  enter(): void {
    this.times[this.entered] = performance.now();
    this.entered += 1;
  }

  answered(): void {
    this.times[this.entered] = performance.now();
  }

  /** Observes each phase, all at once when the request is over. @returns the seconds that they took together. */
  observe(): number {
    const { entered, metrics, times } = this;
    let total = 0;
    for (let index = 0; index < entered; index += 1) {
      const seconds = ((times[index + 1] ?? NaN) - (times[index] ?? NaN)) / 1000;
      // The caller left in the middle of the last one.
      if (Number.isNaN(seconds)) break;
      metrics.phase(index).observe(seconds);
      total += seconds;
    }
    return total;
  }
}
