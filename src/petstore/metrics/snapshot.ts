/** Everything that was measured, at one moment, as plain data: it can be sent to another process and added up. */
export type Snapshot = readonly Family[];

/** One metric of the exposition: its name without `_total`, `_bucket` and the like, and its series. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, ascending; the last bucket, without a bound, is not among them. */
  readonly bounds?: readonly number[];
  /** Says something of one process: is never added up, but told for each with the label `process`. */
  readonly isPerProcess?: boolean;
  readonly series: readonly Series[];
}

export interface Series {
  /** Values of the family's labels, in their order. */
  readonly labels: readonly string[];
  /** Of a histogram: the sum of what was observed. */
  readonly value: number;
  /** Of a histogram: observations in each bucket, not cumulative; one more than there are bounds. */
  readonly counts?: readonly number[];
}

/** A snapshot and the process that it is of. */
export interface ProcessSnapshot {
  /** Value of the label `process`: `primary`, `worker-1`. */
  readonly process: string;
  readonly snapshot: Snapshot;
}

/** Adds up what several processes measured. */
export function mergeSnapshots(parts: readonly ProcessSnapshot[]): Snapshot {
  const merged = new Map<string, Family & { readonly series: Series[] }>();
  for (const { process, snapshot } of parts) {
    for (const family of snapshot) {
      const { name, labels, isPerProcess, series } = family;
      const into = merged.get(name) ?? {
        ...family,
        labels: isPerProcess ? [...labels, "process"] : labels,
        series: [],
      };
      merged.set(name, into);
      if (isPerProcess)
        into.series.push(...series.map((one) => ({ ...one, labels: [...one.labels, process] })));
      else addAll(into.series, series);
    }
  }
  return [...merged.values()];
}

/** What stays true of a process that has ended: counters must not fall because of it. */
export function toLasting(snapshot: Snapshot): Snapshot {
  return snapshot.filter(({ type, isPerProcess }) => type !== "gauge" && !isPerProcess);
}

function addAll(into: Series[], series: readonly Series[]): void {
  const keyOf = ({ labels }: Series): string => labels.join("\0");
  const indexes = new Map(into.map((one, index) => [keyOf(one), index]));
  for (const one of series) {
    const index = indexes.get(keyOf(one)) ?? into.length;
    const before = into[index];
    into[index] = before === undefined ? one : add(before, one);
  }
}

function add(a: Series, b: Series): Series {
  return {
    labels: a.labels,
    value: a.value + b.value,
    ...(a.counts && { counts: a.counts.map((count, index) => count + (b.counts?.[index] ?? 0)) }),
  };
}
