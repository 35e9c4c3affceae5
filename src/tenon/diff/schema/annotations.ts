import { getOwn, items, type Located } from "../../contract/document.js";
import type { View } from "../view.js";
import type { Conjunction } from "./shape.js";

/** What a schema says beside which values there are. */
export interface Annotations {
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
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
    deprecated: has("deprecated"),
    ...(defaulted && {
      default: { value: defaulted.node["default"], pointer: `${defaulted.pointer}/default` },
    }),
  };
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
