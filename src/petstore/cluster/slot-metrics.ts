import { EventEmitter, once } from "node:events";
import { AggregatorRegistry } from "prom-client";
import { isOfType, type Metrics } from "../metrics/format.js";

/** The metrics of the worker processes that ran in one slot, one after the other. */
export class SlotMetrics {
  readonly #process: string;
  /** Counts of workers that have ended. Without them counters would fall, which looks like a restart of the whole service. */
  #ended: Promise<Metrics> = Promise.resolve([]);
  #latest: readonly Metrics[] = [];
  readonly #updates = new EventEmitter();

  /** @param process Value of the label `process`. */
  constructor(process: string) {
    this.#process = process;
  }

  /** Receives the metrics of the running worker. */
  receive(metrics: readonly Metrics[]): void {
    this.#latest = metrics;
    this.#updates.emit("update");
  }

  /** The worker has ended. */
  end(): void {
    const counts = this.#latest.map((metrics) => metrics.filter(isLasting));
    this.#ended = this.#ended.then((ended) =>
      AggregatorRegistry.aggregate([ended, ...counts]).getMetricsAsJSON(),
    );
    this.receive([]);
  }

  /** Resolves to what is known once the worker has sent its metrics or ended, or after `limitMs`. */
  async next(limitMs: number): Promise<readonly Metrics[]> {
    await once(this.#updates, "update", { signal: AbortSignal.timeout(limitMs) }).catch(() => undefined);
    const latest = this.#latest.map((metrics) => labelProcess(metrics, this.#process));
    return [await this.#ended, ...latest];
  }
}

/** Adds the label `process` to metrics that describe a process, because their sum over processes means nothing. */
export function labelProcess(metrics: Metrics, process: string): Metrics {
  return metrics.map((metric) =>
    isShared(metric)
      ? metric
      : {
          ...metric,
          values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
        },
  );
}

/** Does a count stay true after the end of its process? */
function isLasting(metric: Metrics[number]): boolean {
  return isShared(metric) && !isOfType(metric, "gauge");
}

/** Does a metric describe the service, and not one of its processes? */
function isShared({ name }: Metrics[number]): boolean {
  return name.startsWith("petstore_");
}
