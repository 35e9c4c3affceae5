import type { Change } from "../change.js";
import type { ChangeImpact, CodePlace } from "../../impact/index.js";
import type { Diff } from "../diff-contracts.js";
import { findSilent, showClients, showImpact, showPlace, showProblem } from "./impact-words.js";

/** Writes the impact of changes on code for people. */
export interface ImpactWriter {
  /** Writes the impact of a change. Each place is written once, with its first change. */
  writeChange(change: Change, impact: ChangeImpact | undefined): void;
  /** Writes the impact that belongs to no change. */
  writeOthers(): void;
  writeSummary(): void;
}

export interface ImpactWriterOptions {
  /** Writes one line. */
  readonly write: (line: string) => void;
  /** Maximum number of places for each change. */
  readonly maxPlaces: number;
}

export function createImpactWriter(diff: Diff, { write, maxPlaces }: ImpactWriterOptions): ImpactWriter {
  const written = new Set<string>();
  const writePlaces = (places: readonly CodePlace[]) => {
    const lines = places
      .map((place) => `  ${showPlace(place)}  ${showProblem(place)}`)
      .filter((line) => !written.has(line));
    for (const line of lines) written.add(line);
    for (const line of lines.slice(0, maxPlaces)) write(line);
    if (lines.length > maxPlaces) write(`  and ${lines.length - maxPlaces} more`);
  };
  return {
    writeChange(change, impact) {
      const clients = showClients(change, impact);
      if (clients !== undefined && change.ignored === undefined) write(`  ${clients}`);
      if (impact?.handlerMissing) write("  It has no handler yet.");
      writePlaces(impact?.places ?? []);
    },
    writeOthers() {
      for (const found of findSilent(diff)) {
        write(`code      ${found.operation ?? "the contract"}`);
        const clients = showClients({ level: "safe" }, found);
        if (clients !== undefined) write(`  ${clients}`);
        writePlaces(found.places);
      }
      const { elsewhere = [] } = diff.impact ?? {};
      if (elsewhere.length > 0) write("code      of no operation");
      writePlaces(elsewhere);
    },
    writeSummary() {
      if (diff.impact !== undefined) write(showImpact(diff.impact).join(" "));
    },
  };
}
