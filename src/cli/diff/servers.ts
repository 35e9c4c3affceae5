import { items, type Located, members, toStrings, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { pairByName, type Comparison, type Scope, type Sides, tell } from "./comparison.js";
import type { OperationView } from "./operations.js";
import { toCanonical } from "./schema/values.js";

interface Server extends Located {
  readonly url: string;
  /** Defaults and allowed values of the URL's variables, in its order, as text. */
  readonly variables: string;
}

/** Compares where the whole contract is served; no servers is the place that the contract came from. */
export function compareServers({ views, ...rest }: Comparison): void {
  compareLists({ base: [views.base.root], revision: [views.revision.root] }, { views, ...rest });
}

/** Compares where an operation is served, when it or its path item says so itself. */
export function compareOwnServers({ base, revision }: Sides<OperationView>, scope: Scope): void {
  const isOwn = (operation: OperationView) =>
    [operation, operation.pathItem].some(({ node }) => getOwn(node, "servers") !== undefined);
  if (!isOwn(base) && !isOwn(revision)) return;
  const { views } = scope;
  compareLists(
    {
      base: [base, base.pathItem, views.base.root],
      revision: [revision, revision.pathItem, views.revision.root],
    },
    scope,
  );
}

function compareLists(owners: Sides<readonly Located[]>, scope: Scope): void {
  const [before, after] = [readServers(owners.base), readServers(owners.revision)];
  for (const { base, revision } of pairByName(before, after)) {
    if (base && revision) {
      if (base.variables === revision.variables) continue;
      const message = `The variables of the server ${revision.url} have other values`;
      tell(
        "server-variable-changed",
        { message, at: { base, revision }, before: base.variables, after: revision.variables },
        scope,
      );
    } else if (revision) {
      tell(
        "server-added",
        { message: `There is a new server ${revision.url}`, at: { revision }, after: revision.url },
        scope,
      );
    } else if (base) {
      tell(
        "server-removed",
        { message: `There is no server ${base.url} any more`, at: { base }, before: base.url },
        scope,
      );
    }
  }
}

/** The servers of the first owner that has any, by their URL; the names of variables are nobody's business. */
function readServers(owners: readonly Located[]): ReadonlyMap<string, Server> {
  const owner = owners.find((candidate) => items(candidate, "servers").length > 0);
  const [root] = owners.slice(-1);
  const servers = owner === undefined ? [] : items(owner, "servers");
  if (servers.length === 0 && root !== undefined) {
    return new Map([["/", { ...root, url: "/", variables: "[]" }]]);
  }
  return new Map(
    servers.map((server) => {
      const url = toText(server.node["url"]) ?? "/";
      const key = url.replace(/\{[^{}]*\}/g, "{}").replace(/(.)\/+$/, "$1");
      return [key, { ...server, url, variables: readVariables(server, url) }];
    }),
  );
}

function readVariables(server: Located, url: string): string {
  const declared = new Map(members(server, "variables").map(({ name, node }) => [name, node]));
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  return toCanonical(
    names.map((name) => {
      const { default: value, enum: values } = declared.get(name) ?? {};
      return { default: value, ...(values !== undefined && { enum: toStrings(values).sort() }) };
    }),
  );
}
