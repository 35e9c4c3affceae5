import type { Operation } from "tenon/core/legacy/model";
import type { GeneratedSides } from "./question.js";

/** An operation of both contracts, or of one. */
export interface OperationPair {
  /** As changes name it: `GET /pets`, as the revision writes it, or the base where the operation is gone. */
  readonly label: string;
  readonly base?: Operation;
  readonly revision?: Operation;
}

/** Operations by method and path, whose parameters count by their places. Those of the revision come first. */
export function pairOperations({ base, revision }: GeneratedSides): readonly OperationPair[] {
  const before = new Map(base.operations.map((operation) => [toKey(operation), operation]));
  const after = new Map(revision.operations.map((operation) => [toKey(operation), operation]));
  return [...new Set([...after.keys(), ...before.keys()])].map((key) => {
    const [old, current] = [before.get(key), after.get(key)];
    return {
      label: toLabel(current ?? old),
      ...(old && { base: old }),
      ...(current && { revision: current }),
    };
  });
}

/** How code names operations, of both contracts: to their labels. */
export interface OperationNames {
  /** `listPets`, as handlers are called. */
  readonly byId: ReadonlyMap<string, string>;
  /** `ListPetsRequest` and `ListPetsReplies`, as handlers' types are called. */
  readonly byType: ReadonlyMap<string, string>;
  /** `GET /pets`, as clients write it. */
  readonly byCall: ReadonlyMap<string, string>;
}

export function toOperationNames(pairs: readonly OperationPair[]): OperationNames {
  // Where both contracts have a name for different operations, the revision's is meant: it comes last.
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
    byCall: new Map(named.map(({ label, operation }) => [toLabel(operation), label])),
  };
}

function toKey(operation: Operation): string {
  return toLabel(operation).replace(/\{[^{}]*\}/g, "{}");
}

function toLabel(operation: Operation | undefined): string {
  return operation === undefined ? "" : `${operation.method.toUpperCase()} ${operation.path}`;
}
