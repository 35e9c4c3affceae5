import { type Operation, toOperationLabel } from "tenon/core/model";
import type { GeneratedSides } from "./sides.js";

/** An operation of both contracts, or of one. */
export interface OperationPair {
  /** Name of the operation in changes: `GET /pets`, as in the revision, or as in the base for a removed operation. */
  readonly label: string;
  readonly base?: Operation;
  readonly revision?: Operation;
}

/** Pairs operations by method and path; names of path parameters do not matter. Those of the revision come first. */
export function pairOperations({ base, revision }: GeneratedSides): readonly OperationPair[] {
  const before = new Map(base.operations.map((operation) => [toKey(operation), operation]));
  const after = new Map(revision.operations.map((operation) => [toKey(operation), operation]));
  return [...new Set([...after.keys(), ...before.keys()])].map((key) => {
    const [old, current] = [before.get(key), after.get(key)];
    const shown = current ?? old;
    return {
      label: shown === undefined ? "" : toOperationLabel(shown),
      ...(old && { base: old }),
      ...(current && { revision: current }),
    };
  });
}

/** Labels of both contracts' operations, by their names in code. */
export interface OperationNames {
  /** Label by handler: `listPets`. */
  readonly byId: ReadonlyMap<string, string>;
  /** Label by type of the handler: `ListPetsRequest`, `ListPetsReplies`. */
  readonly byType: ReadonlyMap<string, string>;
  /** Label by a client's call: `GET /pets`. */
  readonly byCall: ReadonlyMap<string, string>;
}

export function toOperationNames(pairs: readonly OperationPair[]): OperationNames {
  // A name of different operations means the revision's, which comes last.
  const named = (["base", "revision"] as const).flatMap((side) =>
    pairs.flatMap(({ label, [side]: operation }) => (operation ? [{ label, operation }] : [])),
  );
  return {
    byId: new Map(named.map(({ label, operation }) => [operation.id, label])),
    byType: new Map(
      named.flatMap(({ label, operation: { typeName } }) => [
        [`${typeName}Request`, label],
        [`${typeName}Replies`, label],
      ]),
    ),
    byCall: new Map(named.map(({ label, operation }) => [toOperationLabel(operation), label])),
  };
}

function toKey(operation: Operation): string {
  return toOperationLabel(operation).replace(/\{[^{}]*\}/g, "{}");
}
