import {
  AggregatorRegistry,
  type OpenMetricsContentType,
  type PrometheusContentType,
  Registry,
} from "prom-client";

/** Metrics as plain data, which can be sent to another process. */
export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

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
  // prom-client 15.1.3 appends `_total` to the names of aggregated counters, also when they have it already.
  const named = isOpenMetrics ? parts.map((metrics) => metrics.map(withoutSuffix)) : [...parts];
  const registry = AggregatorRegistry.aggregate<ContentType>(named);
  registry.setContentType(contentType);
  return registry.metrics();
}

function withoutSuffix(metric: Metrics[number]): Metrics[number] {
  return isOfType(metric, "counter") ? { ...metric, name: metric.name.replace(/_total$/, "") } : metric;
}

/** prom-client declares the type as a number, but it is a name. */
export function isOfType({ type }: Metrics[number], name: "counter" | "gauge"): boolean {
  return String(type) === name;
}
