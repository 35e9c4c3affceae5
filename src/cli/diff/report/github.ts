import type { Level } from "../change.js";
import type { Diff } from "../diff-contracts.js";
import { groupChanges, showOperations } from "../group-changes.js";
import { listPlaces, showClients, showProblem } from "./impact.js";
import { showCounts, showKinds, showPolicy } from "./summary.js";
import { toVisibleLines } from "../../output/visible.js";

const COMMANDS: Readonly<Record<Level, string>> = { breaking: "error", risky: "warning", safe: "notice" };

/**
 * Formats a diff as GitHub workflow commands, which become annotations of the changed files.
 * @param toFile Finds the file in the working tree that gets the annotation.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function toGithub(
  diff: Diff,
  toFile: (file: string) => { readonly file: string; readonly isSame: boolean },
): string {
  const lines = groupChanges(diff.changes)
    .filter(({ change }) => change.ignored === undefined)
    .map(({ change, operations, impact }) => {
      const { code, level, message, why } = change;
      // A removal is annotated in the file that it changed.
      const { line, file: path } = change.removedFrom ?? change;
      const { file, isSame } = toFile(path);
      const place = `file=${toProperty(file)},line=${isSame ? line : 1},title=${toProperty(`${level}: ${code}`)}`;
      const text = [
        `${showOperations(operations)}: ${message}.`,
        why,
        ...showClients(level, impact, code),
      ].join(" ");
      return `::${COMMANDS[level]} ${place}::${toData(text)}\n`;
    });
  const notices = diff.notCompared.map(({ file: path, line, message }) => {
    const { file, isSame } = toFile(path);
    return `::notice file=${toProperty(file)},line=${isSame ? line : 1},title=not compared::${toData(message)}.\n`;
  });
  const summary = [showCounts(diff), showPolicy(diff), showKinds(diff)].join("\n");
  return `${lines.join("")}${toPlaces(diff)}${notices.join("")}${summary}\n`;
}

function toPlaces({ impact }: Diff): string {
  const lines = (impact === undefined ? [] : listPlaces(impact)).map(({ place, owners }) => {
    const { file, line, column } = place;
    const title = toProperty(`does not compile: ${showOperations(owners)}`);
    const text = toData(showProblem(place));
    return `::error file=${toProperty(file)},line=${line},col=${column},title=${title}::${text}\n`;
  });
  return lines.join("");
}

/** Escapes text from a contract, which must not end the command or begin another. */
function toData(text: string): string {
  return toVisibleLines(text).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function toProperty(text: string): string {
  return toData(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
