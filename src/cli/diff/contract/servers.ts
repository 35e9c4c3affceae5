import type { Operation, Placed, Server } from "tenon/core/model";
import { toCanonical } from "../schema/normal-form/values.js";
import { pairBy, type Sides } from "../sides.js";
import { type Comparison, reportChange, type Scope } from "./scope.js";

interface ServedAt extends Placed {
  readonly url: string;
  /** Defaults and allowed values of the URL's variables, in its order, as text. */
  readonly variables: string;
}

/** Compares the servers of the contract. A contract without servers is served at `/`. */
export function compareServers(comparison: Comparison): void {
  const { base, revision } = comparison.contracts;
  compareLists({ base: base.servers, revision: revision.servers }, comparison);
}

/** Compares the servers of an operation where it or its path item has its own. */
export function compareOwnServers({ base, revision }: Sides<Operation>, scope: Scope): void {
  const own = { base: findOwn(base), revision: findOwn(revision) };
  if (own.base === undefined && own.revision === undefined) return;
  const { contracts } = scope;
  compareLists(
    { base: own.base ?? contracts.base.servers, revision: own.revision ?? contracts.revision.servers },
    scope,
  );
}

function findOwn({ servers, pathItem }: Operation): readonly Server[] | undefined {
  return [servers, pathItem.servers].find(({ length }) => length > 0);
}

function compareLists({ base, revision }: Sides<readonly Server[]>, scope: Scope): void {
  const served = { base: toServed(base), revision: toServed(revision) };
  const changed = {
    base: number(served.base.filter((one) => !served.revision.some((other) => isSame(one, other)))),
    revision: number(served.revision.filter((one) => !served.base.some((other) => isSame(one, other)))),
  };
  for (const at of pairBy(changed, ({ key }) => key)) {
    const [before, after] = [at.base, at.revision];
    if (before && after) {
      const message = `The variables of the server ${after.url} changed`;
      const values = { before: before.variables, after: after.variables };
      reportChange("server-variable-changed", { message, at, ...values }, scope);
    } else if (after) {
      const message = `The server ${after.url} is new`;
      reportChange("server-added", { message, at, after: after.url }, scope);
    } else if (before) {
      const message = `The server ${before.url} was removed`;
      reportChange("server-removed", { message, at, before: before.url }, scope);
    }
  }
}

function toServed(servers: readonly Server[]): readonly ServedAt[] {
  if (servers.length === 0) return [{ pointer: "#", url: "/", variables: "[]" }];
  return servers.map((server) => ({ ...server, variables: readVariables(server) }));
}

/** Gives each server a key of its own: servers with the same URL are numbered. */
function number(servers: readonly ServedAt[]): readonly (ServedAt & { readonly key: string })[] {
  const counts = new Map<string, number>();
  return servers.map((server) => {
    const count = (counts.get(toKey(server)) ?? 0) + 1;
    counts.set(toKey(server), count);
    return { ...server, key: `${count} ${toKey(server)}` };
  });
}

function isSame(one: ServedAt, other: ServedAt): boolean {
  return toKey(one) === toKey(other) && one.variables === other.variables;
}

/** The URL without the names of variables, which clients do not see. */
function toKey({ url }: ServedAt): string {
  return url.replace(/\{[^{}]*\}/g, "{}").replace(/(.)\/+$/, "$1");
}

function readVariables({ url, variables }: Server): string {
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  return toCanonical(
    names.map((name) => {
      const declared = variables.find((variable) => variable.name === name);
      if (declared === undefined) return {};
      const { default: value, enum: values } = declared;
      return { default: value, ...(values.length > 0 && { enum: [...values].sort() }) };
    }),
  );
}
