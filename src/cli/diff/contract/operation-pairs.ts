import { type Contract, type Operation, toOperationKey } from "tenon/core/model";
import { toConjunction } from "../schema/normal-form/conjunction.js";
import { type KeyedPair, pairBy, type Sides } from "../sides.js";
import type { Comparison } from "./scope.js";

/** Pairs operations by method and path, wherever the path begins: in the paths, or in the URLs of the servers. */
export function pairOperations({ contracts, movedPaths }: Comparison): readonly KeyedPair<Operation>[] {
  return pairWithin(contracts, movedPaths);
}

function pairWithin(
  { base, revision }: Sides<Contract>,
  start: Sides<string>,
): readonly KeyedPair<Operation>[] {
  const operations = { base: base.operations, revision: revision.operations };
  return pairBy(operations, ({ method, path }, side) =>
    toOperationKey({ method, path: `${start[side]}${path}` }),
  );
}

const UNMOVED: Sides<string> = { base: "", revision: "" };

/**
 * Finds what the URLs of all servers end with, such as `/v1`, if a part of it moved into or out of the paths: then more operations
 * are the same with it than without it.
 */
export function findMovedPaths(contracts: Sides<Contract>): Sides<string> {
  const ends = { base: findEnd(contracts.base), revision: findEnd(contracts.revision) };
  if (ends.base === ends.revision) return UNMOVED;
  const count = (start: Sides<string>) =>
    pairWithin(contracts, start).filter(({ base, revision }) => base && revision).length;
  return count(ends) > count(UNMOVED) ? ends : UNMOVED;
}

/** Finds the path in the URLs of servers; an empty text if they have different ones, or one with variables. */
function findEnd({ servers }: Contract): string {
  const [path = "", ...others] = new Set(
    servers.map(({ url }) => url.replace(/^(?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/]*)?/i, "").replace(/\/+$/, "")),
  );
  return others.length > 0 || path.includes("{") ? "" : path;
}

/**
 * Finds the operation of the base that got the requests of a new operation: `/pets/{id}` got those to `/pets/mine`, unless the
 * parameter must not be `mine`.
 */
export function findShadowed(added: Operation, { contracts, schemas }: Comparison): Operation | undefined {
  return contracts.base.operations.find((operation) => {
    if (operation.method !== added.method) return false;
    const texts = matchTemplate(operation.path, added.path);
    if (texts === undefined) return false;
    return operation.parameters.every(({ in: location, name, schema }) => {
      const text = location === "path" ? texts.get(name) : undefined;
      return text === undefined || schemas.request.mayBeName(text, "base", toConjunction(schema));
    });
  });
}

const PARAMETER = /^\{([^{}]*)\}$/;

/** Matches a path with a template that has parameters as whole segments. @returns the texts of the parameters. */
function matchTemplate(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const texts = new Map<string, string>();
  for (const [index, segment] of wanted.entries()) {
    const own = given[index] ?? "";
    const [, name] = PARAMETER.exec(segment) ?? [];
    if (name === undefined) {
      if (segment !== own) return undefined;
    } else if (!own.includes("{")) texts.set(name, own);
    else if (!PARAMETER.test(own)) return undefined;
  }
  return texts;
}
