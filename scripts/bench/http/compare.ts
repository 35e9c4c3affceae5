import { formatTable } from "../report.js";
import { type Measured, type Measurements, toRatio } from "./measure.js";
import { SCENARIOS, type ScenarioName } from "./scenarios.js";
import { formatMedian, toSpread } from "./statistics.js";

/**
 * Names under which two builds are measured: the new build, the old one, and the old one again. The old build has two
 * processes in each start, because the difference between them is the noise.
 */
export function toBuilds(name: string) {
  return [name, `${name}, old build`, `${name}, old build again`] as const;
}

/** A figure by which builds are compared. */
export interface Figure {
  readonly title: string;
  readonly better: "higher" | "lower";
  readonly ratio: (measured: Measured, reference: Measured) => number;
}

export const START_TIME: Figure = {
  title: "time to the first response",
  better: "lower",
  ratio: (measured, reference) => measured.startTime / reference.startTime,
};

export const START_CPU: Figure = {
  title: "CPU time until the first response",
  better: "lower",
  ratio: (measured, reference) => measured.startUsage.cpu / reference.startUsage.cpu,
};

export const MEMORY: Figure = {
  title: "resident memory",
  better: "lower",
  ratio: (measured, reference) => measured.memory / reference.memory,
};

export const toThroughput = (scenario: ScenarioName): Figure => ({
  title: SCENARIOS[scenario].title,
  better: "higher",
  ratio: ({ slices }, reference) =>
    toRatio(slices[scenario] ?? [], reference.slices[scenario] ?? [], "perCpuSecond"),
});

/** The ratios of one figure, by start. */
export interface Change extends Pick<Figure, "title" | "better"> {
  /** New / old. */
  readonly change: readonly number[];
  /** Old / old, both ways: neither of the two processes is the reference. */
  readonly noise: readonly number[];
}

/**
 * Compares two builds within each start, because what disturbs a start disturbs both.
 * @returns an empty list where only one build was measured.
 */
export function compareBuilds(
  measurements: Measurements,
  name: string,
  figures: readonly Figure[],
): readonly Change[] {
  const [ours, old, again] = toBuilds(name).map((build) => measurements.get(build));
  if (ours === undefined || old === undefined || again === undefined) return [];
  return figures.map(({ title, better, ratio }) => {
    const toRatios = (starts: readonly Measured[]) =>
      starts.flatMap((measured, start) => {
        const reference = old[start];
        return reference === undefined ? [] : [ratio(measured, reference)];
      });
    const noise = toRatios(again);
    return { title, better, change: toRatios(ours), noise: [...noise, ...noise.map((value) => 1 / value)] };
  });
}

/** `better` and `worse` only where the spreads do not overlap. */
function toVerdict({ better, change, noise }: Change): string {
  const [found, usual] = [toSpread(change), toSpread(noise)];
  if (found.low > usual.high) return better === "higher" ? "better" : "worse";
  if (found.high < usual.low) return better === "higher" ? "worse" : "better";
  return "within the noise";
}

/** Formats a table each for the figures that should be high, and for those that should be low. */
export function formatChanges(changes: readonly Change[]): string {
  const toTable = (better: Change["better"], head: string) => {
    const rows = changes
      .filter((change) => change.better === better)
      .map((change) => [
        change.title,
        formatMedian(toSpread(change.change), 2),
        formatMedian(toSpread(change.noise), 2),
        toVerdict(change),
      ]);
    return rows.length === 0 ? "" : `\n${formatTable([head, "new / old", "old / old", "Verdict"], rows)}`;
  };
  if (changes.length === 0) return "";
  return `
The service beside its old build: medians over starts, with their spread. old / old compares two processes of the old build:
it shows the noise. A figure is better or worse only where the two spreads do not overlap.
${toTable("higher", "Requests per CPU second: more is better")}${toTable("lower", "Time and memory: less is better")}`;
}
