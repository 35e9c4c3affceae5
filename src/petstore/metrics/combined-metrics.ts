import { EventEmitter, once } from "node:events";
import {
  AggregatorRegistry,
  type OpenMetricsContentType,
  type PrometheusContentType,
  Registry,
} from "prom-client";

/** Metrics as plain data, which can be sent to another process. */
export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** A format of metrics. */
export type ContentType = OpenMetricsContentType | PrometheusContentType;

/** Chooses the format for an `Accept` header: OpenMetrics for scrapers that name it, else the Prometheus text format. */
export function chooseContentType(accept = ""): ContentType {
  return /application\/openmetrics-text/i.test(accept)
    ? Registry.OPENMETRICS_CONTENT_TYPE
    : Registry.PROMETHEUS_CONTENT_TYPE;
}

/** Formats metrics; series with the same labels are summed. */
export function formatMetrics(parts: readonly Metrics[], contentType: ContentType): Promise<string> {
  const isOpenMetrics = contentType === Registry.OPENMETRICS_CONTENT_TYPE;
  const named = isOpenMetrics ? parts.map((metrics) => metrics.map(withoutSuffix)) : [...parts];
  const registry = AggregatorRegistry.aggregate<ContentType>(named);
  registry.setContentType(contentType);
  return registry.metrics();
}

/** prom-client 15.1.3 appends `_total` to the names of aggregated counters, also when they have it already. */
function withoutSuffix(metric: Metrics[number]): Metrics[number] {
  return isOfType(metric, "counter") ? { ...metric, name: metric.name.replace(/_total$/, "") } : metric;
}

/** prom-client declares the type as a number, but it is a name. */
function isOfType({ type }: Metrics[number], name: "counter" | "gauge"): boolean {
  return String(type) === name;
}

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
      : { ...metric, values: metric.values.map((one) => ({ ...one, labels: { ...one.labels, process } })) },
  );
}

/** Tests whether a count stays true after the end of its process. */
function isLasting(metric: Metrics[number]): boolean {
  return isShared(metric) && !isOfType(metric, "gauge");
}

/** Tests whether a metric describes the service, and not one of its processes. */
function isShared({ name }: Metrics[number]): boolean {
  return name.startsWith("petstore_");
}
