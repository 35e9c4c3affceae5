import type { Level } from "../change.js";
import type { Verdict } from "../judge.js";
import { groupChanges, showOperations } from "./group.js";
import { listPlaces, showClients, showProblem } from "./impact-words.js";
import { showCounts } from "./summary.js";

const COMMANDS: Readonly<Record<Level, string>> = { breaking: "error", risky: "warning", safe: "notice" };

/**
 * Formats a verdict as commands of GitHub's workflows, which become annotations of the files in question.
 * @param toFile The file in the working tree that a change is shown at.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function toGithub(
  verdict: Verdict,
  toFile: (file: string) => { readonly file: string; readonly isSame: boolean },
): string {
  const lines = groupChanges(verdict.changes)
    .filter(({ change }) => change.ignored === undefined)
    .map(({ change, operations, impact }) => {
      const { code, level, line, message, why } = change;
      const { file, isSame } = toFile(change.file);
      const place = `file=${toProperty(file)},line=${isSame ? line : 1},title=${toProperty(`${level}: ${code}`)}`;
      const clients = showClients(change, impact);
      const text = `${showOperations(operations)}: ${message}. ${why}${clients === undefined ? "" : ` ${clients}`}`;
      return `::${COMMANDS[level]} ${place}::${toData(text)}\n`;
    });
  return `${lines.join("")}${toPlaces(verdict)}${showCounts(verdict)}\n`;
}

/** Code that has to change, at its own place. */
function toPlaces({ impact }: Verdict): string {
  const lines = (impact === undefined ? [] : listPlaces(impact)).map(({ place, owners }) => {
    const { file, line, column } = place;
    const title = toProperty(`does not compile: ${showOperations(owners)}`);
    const text = toData(showProblem(place));
    return `::error file=${toProperty(file)},line=${line},col=${column},title=${title}::${text}\n`;
  });
  return lines.join("");
}

/** What comes from a contract must not end the command or begin another. */
function toData(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function toProperty(text: string): string {
  return toData(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
