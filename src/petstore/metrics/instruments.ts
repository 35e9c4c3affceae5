import type { Family, Series, Snapshot } from "./snapshot.js";

/** A number that only grows (a counter), or one that goes up and down (a gauge). */
export class Tally {
  value = 0;

  add(amount: number): void {
    this.value += amount;
  }
}

/** How many observations fell into each bucket, and their sum. */
export class Histogram {
  sum = 0;
  readonly counts: Float64Array;
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    // From the front, because nearly all that is observed is small.
    while (index < bounds.length && value > (bounds[index] ?? Infinity)) index += 1;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

/** Series of a family beyond which the last label is `other`: no mistake and no caller can fill the memory of whoever scrapes. */
export const MOST_SERIES = 1_000;

type Description = Omit<Family, "series" | "labels"> & { readonly labels?: readonly string[] };

/** A family of instruments, one for each combination of label values. */
class InstrumentFamily<Instrument> {
  readonly #instruments = new Map<
    string,
    { readonly labels: readonly string[]; readonly instrument: Instrument }
  >();
  readonly #create: () => Instrument;

  constructor(create: () => Instrument) {
    this.#create = create;
  }

  /** The instrument of these label values. To be kept where it is used often: looking it up takes longer than using it. */
  of(...labels: string[]): Instrument {
    const known = this.#instruments.get(labels.join("\0"));
    if (known !== undefined) return known.instrument;
    const kept = this.#instruments.size < MOST_SERIES ? labels : [...labels.slice(0, -1), "other"];
    const key = kept.join("\0");
    const made = this.#instruments.get(key) ?? { labels: kept, instrument: this.#create() };
    this.#instruments.set(key, made);
    return made.instrument;
  }

  toSeries(convert: (instrument: Instrument) => Omit<Series, "labels">): readonly Series[] {
    return [...this.#instruments.values()].map(({ labels, instrument }) => ({
      labels,
      ...convert(instrument),
    }));
  }
}

/** The instruments of one process. */
export class Registry {
  readonly #families: (() => Family)[] = [];

  tallies(description: Description): InstrumentFamily<Tally> {
    const family = new InstrumentFamily(() => new Tally());
    this.#add(description, () => family.toSeries(({ value }) => ({ value })));
    return family;
  }

  histograms(description: Description & { readonly bounds: readonly number[] }): InstrumentFamily<Histogram> {
    const family = new InstrumentFamily(() => new Histogram(description.bounds));
    this.#add(description, () => family.toSeries(({ sum, counts }) => ({ value: sum, counts: [...counts] })));
    return family;
  }

  /** A family of one series whose value is asked for when a snapshot is made; left out where it is undefined. */
  asked(description: Omit<Description, "labels">, ask: () => number | undefined): void {
    this.#add(description, () => {
      const value = ask();
      return value === undefined ? [] : [{ labels: [], value }];
    });
  }

  snapshot(): Snapshot {
    return this.#families.map((toFamily) => toFamily());
  }

  #add(description: Description, toSeries: () => readonly Series[]): void {
    this.#families.push(() => ({ labels: [], ...description, series: toSeries() }));
  }
}

export type { InstrumentFamily };
