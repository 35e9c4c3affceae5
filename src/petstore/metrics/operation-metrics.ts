import type { Phase, RequestObserver } from "tenon/runtime";
import type { Histogram, InstrumentFamily, Tally } from "./instruments.js";

/** Methods that have a label of their own: callers choose them. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "none"]);

/** In the place of a status: the caller left before the end. */
export const ABORTED = 0;

export interface OperationFamilies {
  readonly requests: InstrumentFamily<Tally>;
  readonly durations: InstrumentFamily<Histogram>;
  readonly phases: InstrumentFamily<Histogram>;
}

/** The instruments of one operation, found once: what looks them up for each request costs more than what counts. */
export class OperationMetrics {
  readonly duration: Histogram;
  readonly #requests: InstrumentFamily<Tally>;
  /** By method and status. */
  readonly #counts = new Map<string, Map<number, Tally>>();
  readonly #phases: InstrumentFamily<Histogram>;
  readonly #byPhase: Partial<Record<Phase, Histogram>> = {};

  constructor(
    readonly id: string,
    readonly isDeprecated: boolean,
    { requests, durations, phases }: OperationFamilies,
  ) {
    this.#requests = requests;
    this.#phases = phases;
    this.duration = durations.of(id);
  }

  /** Counts a request that is over. @param status {@link ABORTED} for a caller that left. */
  count(method: string, status: number): void {
    const counts = this.#counts.get(method) ?? this.#addMethod(method);
    const count = counts.get(status) ?? this.#addStatus(counts, method, status);
    count.value += 1;
  }

  /** @returns the instrument of a phase. */
  phase(phase: Phase): Histogram {
    return (this.#byPhase[phase] ??= this.#phases.of(this.id, phase));
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

/** Times the phases of one request. */
export class OperationTimes implements RequestObserver {
  /** That all phases took together. */
  seconds = 0;
  private phase: Phase | undefined = undefined;
  private since = 0;

  constructor(readonly metrics: OperationMetrics) {}

  enter(phase: Phase): void {
    const now = performance.now();
    this.end(now);
    this.phase = phase;
    this.since = now;
  }

  answered(): void {
    this.end(performance.now());
    this.phase = undefined;
  }

  private end(now: number): void {
    if (this.phase === undefined) return;
    const seconds = (now - this.since) / 1000;
    this.metrics.phase(this.phase).observe(seconds);
    this.seconds += seconds;
  }
}
