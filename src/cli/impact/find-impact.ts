import type { CompilerCheck, Impact, OperationImpact } from "./impact.js";
import { type ClientFindings, findClientBreaks } from "./clients/find-client-breaks.js";
import { findCodePlaces } from "./code/find-code-places.js";
import { type OperationPair, pairOperations } from "./operation-pairs.js";
import { CannotAsk, type CodeProject, type GeneratedSides } from "./sides.js";

export interface ImpactOptions {
  readonly sides: GeneratedSides;
  /** The changes between the sides. */
  readonly changes: readonly { readonly operation?: string | undefined }[];
  /** The project whose code is checked, or the reason why there is none. */
  readonly project: CodeProject | string;
}

/** Finds the code that the changes of a contract affect, with the compiler. Writes nothing. */
export function findImpact({ sides, changes, project }: ImpactOptions): Impact {
  const pairs = pairOperations(sides);
  if (areUnrelated(sides, pairs)) return noImpact("the contracts have no operation in common");
  const changed = new Set(changes.map(({ operation }) => operation));
  const clients = tryClients(
    sides,
    pairs.filter(({ label, base, revision }) => changed.has(label) || base?.path !== revision?.path),
  );
  const code =
    typeof project === "string"
      ? { check: { asked: false, note: project }, places: [], missing: new Set<string>() }
      : findCodePlaces(project, sides, pairs);
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
    clients: clients.check,
    code: code.check,
    operations: [...operations, ...(clients.check.asked ? [{ clients: clients.whole, places: [] }] : [])],
    elsewhere: code.places.flatMap(({ operations: labels, ...place }) =>
      labels.length === 0 ? [place] : [],
    ),
  };
}

function tryClients(
  sides: GeneratedSides,
  pairs: readonly OperationPair[],
): ClientFindings & { readonly check: CompilerCheck } {
  try {
    return { check: { asked: true }, ...findClientBreaks(sides, pairs) };
  } catch (error) {
    if (!(error instanceof CannotAsk)) throw error;
    return { check: { asked: false, note: error.message }, whole: [], byOperation: new Map() };
  }
}

/** Contracts of different APIs: all operations would be removed, and all be new. */
function areUnrelated({ base, revision }: GeneratedSides, pairs: readonly OperationPair[]): boolean {
  if (base.operations.length === 0 || revision.operations.length === 0) return false;
  return pairs.every((pair) => pair.base === undefined || pair.revision === undefined);
}

/** @param note The reason why the compiler did not check anything. */
export function noImpact(note: string): Impact {
  return { clients: { asked: false, note }, code: { asked: false, note }, operations: [], elsewhere: [] };
}
