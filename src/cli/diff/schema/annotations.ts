import { items, type Located } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { type Lifecycle, rankStability, readLifecycle } from "tenon/core/document/lifecycle";
import type { View } from "../view.js";
import type { Conjunction } from "./shape.js";

/** What a schema says beside which values there are. */
export interface Annotations {
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly lifecycle: Lifecycle;
  /** Undefined: there is none. */
  readonly default?: { readonly value: unknown; readonly pointer: string };
}

/** Wrappers in wrappers that are looked into for annotations. */
const MOST_WRAPPERS = 8;

/** Reads the annotations of schemas that all hold: their own first, then those of what they refer to and consist of. */
export function readAnnotations({ parts }: Conjunction, view: View): Annotations {
  const nodes = parts.flatMap((part) => (part === false ? [] : listNodes(part, view, 0)));
  const has = (key: string) => nodes.some(({ node }) => node[key] === true);
  const defaulted = nodes.find(({ node }) => getOwn(node, "default") !== undefined);
  return {
    readOnly: has("readOnly"),
    writeOnly: has("writeOnly"),
    lifecycle: joinLifecycles(nodes.map(({ node }) => readLifecycle(node))),
    ...(defaulted && {
      default: { value: defaulted.node["default"], pointer: `${defaulted.pointer}/default` },
    }),
  };
}

const STABLE: Lifecycle = { deprecated: false, stability: "stable" };

/** The deprecation that comes first, and the least that is promised. */
function joinLifecycles(lifecycles: readonly Lifecycle[]): Lifecycle {
  const notable = lifecycles.filter(({ deprecated, stability }) => deprecated || stability !== "stable");
  if (notable.length === 0) return STABLE;
  const { stability } = notable.reduce((least, one) =>
    rankStability(one.stability) < rankStability(least.stability) ? one : least,
  );
  return { ...(notable.find(({ deprecated }) => deprecated) ?? STABLE), stability };
}

function listNodes(located: Located, view: View, depth: number): readonly Located[] {
  if (depth > MOST_WRAPPERS) return [];
  const target = view.follow(located);
  if (target !== located) {
    const referred = listNodes(target, view, depth + 1);
    // OpenAPI 3.0 ignores the siblings of `$ref`.
    return view.dialect30 ? referred : [located, ...referred];
  }
  return [located, ...items(located, "allOf").flatMap((part) => listNodes(part, view, depth + 1))];
}
