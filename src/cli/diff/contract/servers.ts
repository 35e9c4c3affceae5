import type { Operation, Placed, Server } from "tenon/core/model";
import { pairByName, type Sides } from "../sides.js";
import { type Comparison, reportChange, type Scope } from "./scope.js";
import { toCanonical } from "../schema/index.js";

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

function compareLists(servers: Sides<readonly Server[]>, scope: Scope): void {
  const [before, after] = [byUrl(servers.base), byUrl(servers.revision)];
  for (const { base, revision } of pairByName(before, after)) {
    if (base && revision) {
      if (base.variables === revision.variables) continue;
      const message = `The variables of the server ${revision.url} changed`;
      reportChange(
        "server-variable-changed",
        { message, at: { base, revision }, before: base.variables, after: revision.variables },
        scope,
      );
    } else if (revision) {
      reportChange(
        "server-added",
        { message: `The server ${revision.url} is new`, at: { revision }, after: revision.url },
        scope,
      );
    } else if (base) {
      reportChange(
        "server-removed",
        { message: `The server ${base.url} was removed`, at: { base }, before: base.url },
        scope,
      );
    }
  }
}

const ORIGIN: ServedAt = { pointer: "#", url: "/", variables: "[]" };

/** Servers by URL, without the names of variables, which clients do not see. */
function byUrl(servers: readonly Server[]): ReadonlyMap<string, ServedAt> {
  if (servers.length === 0) return new Map([[ORIGIN.url, ORIGIN]]);
  return new Map(
    servers.map((server) => {
      const { pointer, url } = server;
      const key = url.replace(/\{[^{}]*\}/g, "{}").replace(/(.)\/+$/, "$1");
      return [key, { pointer, url, variables: readVariables(server) }];
    }),
  );
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
