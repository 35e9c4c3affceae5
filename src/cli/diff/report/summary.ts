import type { CompilerCheck, Impact, OperationImpact } from "../../impact/index.js";
import { type Diff, showLevels } from "../diff-contracts.js";
import { count } from "../../output/count.js";
import { listPlaces } from "./impact.js";

/** `1 breaking and 3 safe changes; 1 ignored` */
export function showCounts({ counts, changes }: Diff): string {
  const ignored = changes.filter((change) => change.ignored !== undefined).length;
  const text = showLevels(counts);
  return ignored === 0 ? text : `${text}; ${ignored} ignored`;
}

/** Describes the version check; undefined when no change requires a new version. */
export function showVersion({ version }: Diff): string | undefined {
  const { before, after, bump, proposed, enough } = version;
  if (bump === "none") return undefined;
  if (proposed === undefined)
    return `info.version is ${before ?? "missing"}, not a semantic version; the changes are ${bump}.`;
  if (enough)
    return `info.version rose from ${before ?? ""} to ${after ?? ""}; the changes require at least ${proposed}.`;
  return `info.version is ${after ?? "missing"}; ${bump} changes require at least ${proposed}.`;
}

/** Names the policy that decided the levels. */
export function showPolicy({ policy }: Diff): string {
  return `Policy: ${policy}`;
}

/** Lists the kinds of parts that are never compared, or gives their number. */
export function showKinds({ notJudged: kinds }: Diff, verbose = true): string {
  return `Not compared: ${verbose ? kinds.join("; ") : `${count(kinds.length, "kind")} of parts; --verbose lists them`}.`;
}

/** `openapi.yaml:7  The XML name is not compared` */
export function showUncompared({ notCompared }: Diff): readonly string[] {
  return notCompared.map(({ file, line, message }) => `${file}:${line}  ${message}`);
}

/** Summarizes the impact on all code in sentences. */
export function showImpact(impact: Impact): string {
  const { clients, code, operations } = impact;
  if (!clients.asked && !code.asked) return `The compiler was not asked: ${toClause(clients)}.`;
  const missing = operations.filter(({ handlerMissing }) => handlerMissing).length;
  return [
    clients.asked ? showBroken(operations) : `Clients were not checked: ${toClause(clients)}.`,
    ...(code.asked ? [showPlaces(listPlaces(impact).length)] : []),
    ...(missing === 0 ? [] : [`${count(missing, "handler")} ${missing === 1 ? "is" : "are"} missing.`]),
    ...(code.note === undefined
      ? []
      : [`${code.asked ? "Note" : "The code here was not checked"}: ${toClause(code)}.`]),
  ].join(" ");
}

/** Notes may end with a compiler message and its full stop. */
function toClause({ note = "" }: CompilerCheck): string {
  return note.replace(/\.$/, "");
}

function showBroken(operations: readonly OperationImpact[]): string {
  const broken = operations.filter(({ clients = [] }) => clients.length > 0);
  const named = broken.filter(({ operation }) => operation !== undefined).length;
  if (named > 0) return `Clients of ${count(named, "operation")} may not compile.`;
  return broken.length > 0 ? "Clients may not compile." : "Clients compile.";
}

function showPlaces(places: number): string {
  if (places === 0) return "The code here compiles.";
  return `${count(places, "place")} of the code here ${places === 1 ? "does" : "do"} not compile.`;
}
