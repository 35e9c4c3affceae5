import type { Change } from "../../diff/change.js";
import type { ChangeImpact, CodePlace } from "../../diff/impact.js";
import type { Verdict } from "../../diff/judge.js";
import { findSilent, showClients, showImpact, showPlace, showProblem } from "./impact-words.js";

/** Writes what changes mean to code, for people. */
export interface ImpactWriter {
  /** Below a change. A place is written once, below the first change that it belongs to. */
  writeChange(change: Change, impact: ChangeImpact | undefined): void;
  /** What belongs to no change. */
  writeOthers(): void;
  writeSummary(): void;
}

/** @param write Writes one line. */
export function createImpactWriter(verdict: Verdict, write: (line: string) => void): ImpactWriter {
  const told = new Set<string>();
  const writePlaces = (places: readonly CodePlace[]) => {
    for (const place of places) {
      const line = `${showPlace(place)}  ${showProblem(place)}`;
      if (!told.has(line)) write(`  ${line}`);
      told.add(line);
    }
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
