import type { Family, Series, Snapshot } from "./snapshot.js";

/** A format that scrapers read. */
export interface ExpositionFormat {
  readonly mediaType: string;
  readonly write: (snapshot: Snapshot) => string;
}

/** @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
const TEXT: ExpositionFormat = {
  mediaType: "text/plain; version=0.0.4; charset=utf-8",
  write: (snapshot) => snapshot.map((family) => writeFamily(family, toTextName(family), String)).join(""),
};

/** @see https://prometheus.io/docs/specs/om/open_metrics_spec/ */
const OPEN_METRICS: ExpositionFormat = {
  mediaType: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  write: (snapshot) =>
    snapshot.map((family) => writeFamily(family, family.name, toFloat)).join("") + "# EOF\n",
};

/** @param accept The scraper's `Accept` header: whoever names OpenMetrics can read it. */
export function chooseFormat(accept: string): ExpositionFormat {
  return /application\/openmetrics-text/i.test(accept) ? OPEN_METRICS : TEXT;
}

type WriteBound = (bound: number) => string;

/** @param title What `HELP` and `TYPE` call the family. */
function writeFamily(family: Family, title: string, writeBound: WriteBound): string {
  if (family.series.length === 0) return "";
  const head = `# HELP ${title} ${escapeText(family.help)}\n# TYPE ${title} ${family.type}\n`;
  return head + family.series.map((series) => writeSeries(family, series, writeBound)).join("");
}

function writeSeries(family: Family, { labels, value, counts }: Series, writeBound: WriteBound): string {
  const { name, bounds = [] } = family;
  const pairs = family.labels.map((label, index) => `${label}="${escapeValue(labels[index] ?? "")}"`);
  const line = (suffix: string, number: number, more: readonly string[] = []): string => {
    const all = [...pairs, ...more].join(",");
    return `${name}${suffix}${all === "" ? "" : `{${all}}`} ${number}\n`;
  };
  if (counts === undefined) return line(family.type === "counter" ? "_total" : "", value);
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const bound = bounds[index];
    return line("_bucket", total, [`le="${bound === undefined ? "+Inf" : writeBound(bound)}"`]);
  });
  return buckets.join("") + line("_sum", value) + line("_count", total);
}

/** The text format has a counter's suffix in its name. */
function toTextName({ name, type }: Family): string {
  return type === "counter" ? `${name}_total` : name;
}

/** OpenMetrics writes the bound 1 as `1.0`. */
function toFloat(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

function escapeText(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
}

function escapeValue(text: string): string {
  return escapeText(text).replace(/"/g, '\\"');
}
