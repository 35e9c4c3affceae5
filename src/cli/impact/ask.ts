import type { Change } from "../diff/change.js";
import type { Answer, Impact, OperationImpact } from "../diff/impact.js";
import { askClients, type ClientFindings } from "./clients.js";
import { askCode } from "./code.js";
import { type OperationPair, pairOperations } from "./operation-names.js";
import { CannotAsk, type CodeProject, type GeneratedSides } from "./question.js";

export interface ImpactQuestion {
  readonly sides: GeneratedSides;
  /** What is different. */
  readonly changes: readonly Pick<Change, "operation">[];
  /** The project whose code is asked for, or why there is none. */
  readonly project: CodeProject | string;
}

/** Asks the compiler what the changes of a contract mean to code. Nothing is written. */
export function askImpact({ sides, changes, project }: ImpactQuestion): Impact {
  const pairs = pairOperations(sides);
  if (areStrangers(sides, pairs)) return toUnasked("the contracts have no operation in common");
  const changed = new Set(changes.map(({ operation }) => operation));
  const clients = tryClients(
    sides,
    pairs.filter(({ label, base, revision }) => changed.has(label) || base?.path !== revision?.path),
  );
  const code =
    typeof project === "string"
      ? { answer: { asked: false, note: project }, places: [], missing: new Set<string>() }
      : askCode(project, sides, pairs);
  const operations = pairs.flatMap(({ label }): OperationImpact[] => {
    const breaks = clients.byOperation.get(label);
    const places = code.places.flatMap(({ operations: labels, ...place }) =>
      labels.includes(label) ? [place] : [],
    );
    const isMissing = code.missing.has(label);
    if (breaks === undefined && places.length === 0 && !isMissing) return [];
    return [
      {
        operation: label,
        ...(breaks && { clients: breaks }),
        ...(isMissing && { handlerMissing: true }),
        places,
      },
    ];
  });
  return {
    clients: clients.answer,
    code: code.answer,
    operations: [...operations, ...(clients.answer.asked ? [{ clients: clients.whole, places: [] }] : [])],
    elsewhere: code.places.flatMap(({ operations: labels, ...place }) =>
      labels.length === 0 ? [place] : [],
    ),
  };
}

function tryClients(
  sides: GeneratedSides,
  pairs: readonly OperationPair[],
): ClientFindings & { readonly answer: Answer } {
  try {
    return { answer: { asked: true }, ...askClients(sides, pairs) };
  } catch (error) {
    if (!(error instanceof CannotAsk)) throw error;
    return { answer: { asked: false, note: error.message }, whole: [], byOperation: new Map() };
  }
}

/** Contracts of different APIs: everything would be gone and everything be new. */
function areStrangers({ base, revision }: GeneratedSides, pairs: readonly OperationPair[]): boolean {
  if (base.operations.length === 0 || revision.operations.length === 0) return false;
  return pairs.every((pair) => pair.base === undefined || pair.revision === undefined);
}

/** @param note Why the compiler was not asked. */
export function toUnasked(note: string): Impact {
  return { clients: { asked: false, note }, code: { asked: false, note }, operations: [], elsewhere: [] };
}
