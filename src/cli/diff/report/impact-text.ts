import type { Change } from "../change.js";
import type { ChangeImpact, CodePlace } from "../impact.js";
import type { Verdict } from "../judge.js";
import { findSilent, showClients, showImpact, showPlace, showProblem } from "./impact-words.js";

/** Writes what changes mean to code, for people. */
export interface ImpactWriter {
  /** Below a change. A place is written once, below the first change that it belongs to. */
  writeChange(change: Change, impact: ChangeImpact | undefined): void;
  /** What belongs to no change. */
  writeOthers(): void;
  writeSummary(): void;
}

export interface ImpactWriterOptions {
  /** Writes one line. */
  readonly write: (line: string) => void;
  /** Places that are written below each change, at most. */
  readonly most: number;
}

export function createImpactWriter(verdict: Verdict, { write, most }: ImpactWriterOptions): ImpactWriter {
  const told = new Set<string>();
  const writePlaces = (places: readonly CodePlace[]) => {
    const lines = places
      .map((place) => `  ${showPlace(place)}  ${showProblem(place)}`)
      .filter((line) => !told.has(line));
    for (const line of lines) told.add(line);
    for (const line of lines.slice(0, most)) write(line);
    if (lines.length > most) write(`  and ${lines.length - most} more`);
  };
  return {
    writeChange(change, impact) {
      const clients = showClients(change, impact);
      if (clients !== undefined && change.ignored === undefined) write(`  ${clients}`);
      if (impact?.handlerMissing) write("  It has no handler yet.");
      writePlaces(impact?.places ?? []);
    },
    writeOthers() {
      for (const found of findSilent(verdict)) {
        write(`code      ${found.operation ?? "the contract"}`);
        const clients = showClients({ level: "safe" }, found);
        if (clients !== undefined) write(`  ${clients}`);
        writePlaces(found.places);
      }
      const { elsewhere = [] } = verdict.impact ?? {};
      if (elsewhere.length > 0) write("code      of no operation");
      writePlaces(elsewhere);
    },
    writeSummary() {
      if (verdict.impact !== undefined) write(showImpact(verdict.impact).join(" "));
    },
  };
}
