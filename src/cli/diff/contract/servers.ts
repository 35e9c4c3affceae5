import type { Placed } from "tenon/core/document";
import type { Operation, Server } from "tenon/core/model";
import { toCanonical } from "../schema/normal-form/values.js";
import { pairBy, type Sides } from "../sides.js";
import { type Comparison, reportChange, type Scope } from "./scope.js";

interface ServedAt extends Placed {
  readonly url: string;
  /** The URL's variables, in its order. */
  readonly variables: readonly Variable[];
}

interface Variable {
  readonly name: string;
  /** Undefined: the variable is not declared. */
  readonly default?: string;
  /** Sorted. Undefined: any value. */
  readonly enum?: readonly string[];
}

/** Compares the servers of the contract. A contract without servers is served at `/`. */
export function compareServers(comparison: Comparison): void {
  const { base, revision } = comparison.contracts;
  compareLists({ base: base.servers, revision: revision.servers }, comparison);
  const { movedPaths: moved } = comparison;
  if (moved.base === moved.revision) return;
  const [before, after] = [moved.base || "/", moved.revision || "/"];
  const message = `The servers have the path ${after} and had ${before}; the URLs of the operations are the same`;
  reportChange(
    "server-path-moved",
    { message, at: { base: base.servers[0], revision: revision.servers[0] }, before, after },
    comparison,
  );
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
  const { movedPaths: moved } = scope;
  const served = { base: toServed(base, moved.base), revision: toServed(revision, moved.revision) };
  const changed = {
    base: number(served.base.filter((one) => !served.revision.some((other) => isSame(one, other)))),
    revision: number(served.revision.filter((one) => !served.base.some((other) => isSame(one, other)))),
  };
  for (const at of pairBy(changed, ({ key }) => key)) {
    const [before, after] = [at.base, at.revision];
    if (before && after) {
      for (const [index, variable] of after.variables.entries())
        compareVariables(
          { base: before.variables[index], revision: variable },
          { at, url: after.url },
          scope,
        );
    } else if (after) {
      const message = `The server ${after.url} is new`;
      reportChange("server-added", { message, at, after: after.url }, scope);
    } else if (before) {
      const message = `The server ${before.url} was removed`;
      reportChange("server-removed", { message, at, before: before.url }, scope);
    }
  }
}

function compareVariables(
  { base = { name: "" }, revision }: { readonly base: Variable | undefined; readonly revision: Variable },
  { at, url }: { readonly at: Sides<Placed | undefined>; readonly url: string },
  scope: Scope,
): void {
  const name = `The variable "${revision.name}" of the server ${url}`;
  if (base.default !== revision.default) {
    const [before, after] = [base.default, revision.default];
    const message = `${name} has another default: ${before ?? "none"}, now ${after ?? "none"}`;
    reportChange("server-variable-changed", { message, at, before, after }, scope);
  }
  const [before, after] = [base.enum, revision.enum];
  if (before === undefined || after === undefined) {
    if (before === after) return;
    const message = `${name} is ${after ? `limited to ${after.join(", ")}` : "no longer limited to certain values"}`;
    reportChange("server-variable-changed", { message, at, before, after }, scope);
    return;
  }
  for (const value of before.filter((one) => !after.includes(one))) {
    const message = `${name} can no longer be ${value}`;
    reportChange("server-variable-value-removed", { message, at, before: value }, scope);
  }
  for (const value of after.filter((one) => !before.includes(one))) {
    const message = `${name} can be ${value}`;
    reportChange("server-variable-value-added", { message, at, after: value }, scope);
  }
}

/** @param moved What the URLs end with, if it moved into or out of the paths. */
function toServed(servers: readonly Server[], moved: string): readonly ServedAt[] {
  if (servers.length === 0) return [{ pointer: "#", url: "/", variables: [] }];
  return servers.map((server) => {
    const url = server.url.replace(/(.)\/+$/, "$1");
    return {
      ...server,
      url: moved !== "" && url.endsWith(moved) ? url.slice(0, -moved.length) || "/" : server.url,
      variables: readVariables(server),
    };
  });
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
  return toKey(one) === toKey(other) && toText(one) === toText(other);
}

/** The URL without the names of variables, which clients do not see. */
function toKey({ url }: ServedAt): string {
  return url.replace(/\{[^{}]*\}/g, "{}").replace(/(.)\/+$/, "$1");
}

/** The variables without their names, which clients do not see. */
function toText({ variables }: ServedAt): string {
  return toCanonical(variables.map((variable) => ({ ...variable, name: undefined })));
}

function readVariables({ url, variables }: Server): readonly Variable[] {
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  return names.map((name) => {
    const declared = variables.find((variable) => variable.name === name);
    if (declared === undefined) return { name };
    const { default: value, enum: values } = declared;
    return {
      name,
      ...(value !== undefined && { default: value }),
      ...(values.length > 0 && { enum: [...values].sort() }),
    };
  });
}
