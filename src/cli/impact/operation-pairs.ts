import { type Operation, toOperationKey, toOperationLabel } from "tenon/core/model";
import type { GeneratedSides } from "./sides.js";

/** An operation of both contracts, or of one. */
export interface OperationPair {
  /** Name of the operation in changes: `GET /pets`, as in the revision, or as in the base for a removed operation. */
  readonly label: string;
  readonly base: Operation | undefined;
  readonly revision: Operation | undefined;
}

/** Pairs operations by method and path; names of path parameters do not matter. Those of the revision come first. */
export function pairOperations({ base, revision }: GeneratedSides): readonly OperationPair[] {
  const before = new Map(base.operations.map((operation) => [toOperationKey(operation), operation]));
  const after = new Map(revision.operations.map((operation) => [toOperationKey(operation), operation]));
  // The revision comes first, and its operations replace those of the base.
  return [...new Map([...after, ...before, ...after])].map(([key, operation]) => ({
    label: toOperationLabel(operation),
    base: before.get(key),
    revision: after.get(key),
  }));
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
