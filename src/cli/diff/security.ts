import {
  isNode,
  type Located,
  members,
  type Node,
  toArray,
  toStrings,
  toText,
} from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import { pairByName, type Comparison, type Scope, type Sides, tell } from "./comparison.js";
import { toCanonical } from "./schema/values.js";
import type { View } from "./view.js";

/** Schemes with the scopes that are asked of each; all are needed. */
type Alternative = ReadonlyMap<string, ReadonlySet<string>>;

/** The name in the base of each scheme of the revision: one that is only called otherwise is the same. */
export type SchemeNames = ReadonlyMap<string, string>;

export function compareSecuritySchemes(comparison: Comparison): SchemeNames {
  const { views } = comparison;
  const [base, revision] = [listSchemes(views.base), listSchemes(views.revision)];
  const names = new Map<string, string>();
  for (const [name, scheme] of revision) {
    const sameName = base.get(name);
    if (sameName !== undefined) {
      names.set(name, name);
      compareScheme(name, { base: sameName, revision: scheme }, comparison);
      continue;
    }
    const meant = [...base].find(
      ([old, other]) => !revision.has(old) && toSignature(other) === toSignature(scheme),
    );
    names.set(name, meant?.[0] ?? name);
  }
  return names;
}

function compareScheme(name: string, pair: Sides<Located>, comparison: Comparison): void {
  const { base, revision } = pair;
  const [before, after] = [listFlows(base), listFlows(revision)];
  const flowsOf = ({ node }: Located) => ({ ...node, flows: undefined });
  const [old, current] = [base, revision].map((scheme) => toSignature({ ...scheme, node: flowsOf(scheme) }));
  if (old !== current) {
    const message = `The security scheme "${name}" is another`;
    tell("security-scheme-changed", { message, at: pair, before: old, after: current }, comparison);
  }
  for (const flow of pairByName(before, after)) {
    if (flow.base === flow.revision) continue;
    const at = pair;
    if (flow.base === undefined) {
      tell(
        "security-flow-added",
        { message: `The security scheme "${name}" has the flow ${flow.name}`, at },
        comparison,
      );
    } else if (flow.revision === undefined) {
      const message = `The security scheme "${name}" no longer has the flow ${flow.name}`;
      tell("security-flow-removed", { message, at }, comparison);
    } else {
      const message = `The flow ${flow.name} of the security scheme "${name}" has other URLs`;
      tell("security-scheme-changed", { message, at, before: flow.base, after: flow.revision }, comparison);
    }
  }
}

/** Compares who may call an operation. */
export function compareSecurity(operations: Sides<Located>, names: SchemeNames, scope: Scope): void {
  const base = readAlternatives(operations.base, scope.views.base, (name) => name);
  const revision = readAlternatives(
    operations.revision,
    scope.views.revision,
    (name) => names.get(name) ?? name,
  );
  const at = {
    base: findSecurity(operations.base, scope.views.base),
    revision: findSecurity(operations.revision, scope.views.revision),
  };
  const shown = { before: base.map(show), after: revision.map(show) };
  for (const one of base) {
    if (revision.some((other) => isEnough(one, other))) continue;
    const scopes = findMissingScopes(one, revision);
    if (scopes !== undefined) {
      const message = `${show(one)} needs the scope ${scopes.join(", ")} too`;
      tell("security-scope-added", { message, at, ...shown }, scope);
    } else {
      tell("security-tightened", { message: `${show(one)} is no longer enough`, at, ...shown }, scope);
    }
  }
  for (const one of revision) {
    if (base.some((other) => isEnough(one, other))) continue;
    const scopes = findMissingScopes(one, base);
    if (scopes !== undefined) {
      const message = `${show(one)} no longer needs the scope ${scopes.join(", ")}`;
      tell("security-scope-removed", { message, at, ...shown }, scope);
    } else {
      tell("security-loosened", { message: `${show(one)} is enough`, at, ...shown }, scope);
    }
  }
}

/** Whether who has these credentials satisfies an alternative. */
function isEnough(credentials: Alternative, wanted: Alternative): boolean {
  return [...wanted].every(([scheme, scopes]) => {
    const own = credentials.get(scheme);
    return own !== undefined && [...scopes].every((scope) => own.has(scope));
  });
}

/** Scopes that the same schemes want on the other side and these credentials lack. */
function findMissingScopes(one: Alternative, others: readonly Alternative[]): readonly string[] | undefined {
  const other = others.find((candidate) => [...candidate.keys()].every((scheme) => one.has(scheme)));
  if (other === undefined) return undefined;
  return [...other].flatMap(([scheme, scopes]) =>
    [...scopes].filter((scope) => one.get(scheme)?.has(scope) !== true),
  );
}

function show(alternative: Alternative): string {
  const schemes = [...alternative].map(([name, { size }]) =>
    size === 0 ? name : `${name} (${[...(alternative.get(name) ?? [])].join(", ")})`,
  );
  return schemes.length === 0 ? "No credential" : schemes.join(" with ");
}

/** Nothing asked, and an alternative that asks nothing, are the same. */
function readAlternatives(
  operation: Located,
  view: View,
  toName: (name: string) => string,
): readonly Alternative[] {
  const stated = getOwn(operation.node, "security") ?? getOwn(view.document, "security");
  const alternatives = toArray(stated)
    .filter(isNode)
    .map((alternative) => readAlternative(alternative, toName));
  return alternatives.length === 0 ? [new Map()] : alternatives;
}

function readAlternative(alternative: Node, toName: (name: string) => string): Alternative {
  return new Map(
    Object.entries(alternative).map(([name, scopes]) => [toName(name), new Set(toStrings(scopes))]),
  );
}

function findSecurity({ node, pointer }: Located, view: View): Located {
  const owner = getOwn(node, "security") === undefined ? view.root : { node, pointer };
  if (getOwn(owner.node, "security") === undefined) return { node, pointer };
  return { node: owner.node, pointer: joinPointer(owner.pointer, "security") };
}

function listSchemes(view: View): ReadonlyMap<string, Located> {
  const components = getOwn(view.document, "components");
  if (!isNode(components)) return new Map();
  const owner = { node: components, pointer: "#/components" };
  return new Map(
    members(owner, "securitySchemes").map(({ name, ...scheme }) => [name, view.resolve(scheme)]),
  );
}

/** What a client has to know to use a scheme, as text. */
function toSignature({ node }: Located): string {
  const { type, in: place, openIdConnectUrl, flows } = node;
  // Names of headers and of HTTP's schemes are the same in any case.
  const isHeader = place === "header";
  const name = isHeader ? toText(node["name"])?.toLowerCase() : node["name"];
  const scheme = toText(node["scheme"])?.toLowerCase();
  const own =
    type === "apiKey" ? { place, name } : type === "http" ? { scheme } : { openIdConnectUrl, flows };
  return toCanonical({ type, ...own });
}

function listFlows(scheme: Located): ReadonlyMap<string, string> {
  return new Map(
    members(scheme, "flows").map(({ name, node }) => {
      const { authorizationUrl, tokenUrl } = node;
      return [name, toCanonical({ authorizationUrl, tokenUrl })];
    }),
  );
}
