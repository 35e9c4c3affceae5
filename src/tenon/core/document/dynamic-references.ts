import { type Node, toNode, toText } from "./node.js";
import { getByPointer, getOwn, joinPointer } from "./pointer.js";
import { isData, isNamed, toComponentReference } from "./references.js";
import { getReference } from "./source.js";
import { findDialect } from "./version.js";

/** Pointers of the schemas that the names of `$dynamicAnchor` mean. */
type Anchors = ReadonlyMap<string, string>;

/** A component or an inline schema: the unit whose anchors apply together. */
interface Unit {
  readonly pointer: string;
  readonly node: unknown;
  readonly anchors: Map<string, string>;
  /** Names in its `$dynamicRef`s. */
  readonly uses: Set<string>;
  /** Components that it refers to. */
  readonly references: Set<string>;
}

export interface ResolvedDocument {
  readonly document: Node;
  /** Nodes that replace nodes of the author, with the author's. */
  readonly copies: ReadonlyMap<object, object>;
}

/**
 * Replaces each `$dynamicRef` whose target is certain by a `$ref`. A component whose `$dynamicRef`s mean another schema where it is
 * used is copied for that use, as JSON Schema 2020-12 resolves it: the outermost schema with the `$dynamicAnchor` wins.
 * Others, with no target or several, stay.
 * @example
 * // Page: { properties: { items: { items: { $dynamicRef: "#item" } } }, $defs: { item: { $dynamicAnchor: item } } }
 * // Pets: { $ref: Page, $defs: { item: { $dynamicAnchor: item, $ref: Pet } } }
 * // Pets becomes { $ref: Page_Pets }, and the items of Page_Pets are { $ref: "#/components/schemas/Pets/$defs/item" }
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-dynamic-references-with-dyn
 */
export function resolveDynamicReferences(document: Node): ResolvedDocument {
  const copies = new Map<object, object>();
  if (findDialect(document) === "3.0" || !JSON.stringify(document).includes('"$dynamicRef":'))
    return { document, copies };
  const units = findUnits(document);
  const needs = findNeeds(units);
  const schemas = toNode(getOwn(toNode(getOwn(document, "components")), "schemas"));
  /** Names of the copied components, by component and meaning of the anchors. */
  const names = new Map<string, string>();
  const made: [string, unknown][] = [];

  /** Returns the reference that has the same target with the anchors bound as at its use. */
  const bind = (reference: string, bound: Anchors): string => {
    const [, component = "", rest = ""] = COMPONENT.exec(reference) ?? [];
    const unit = units.get(component);
    const meanings = [...(needs.get(component) ?? [])].map(
      (name) => [name, bound.get(name) ?? unit?.anchors.get(name)] as const,
    );
    if (unit === undefined || meanings.every(([name, target]) => target === unit.anchors.get(name)))
      return reference;
    const key = JSON.stringify([component, meanings]);
    const known = names.get(key);
    if (known !== undefined) return toComponentReference(known) + rest;
    const name = nameCopy(component, meanings, (taken) => {
      return Object.hasOwn(schemas, taken) || [...names.values()].includes(taken);
    });
    names.set(key, name);
    made.push([name, rewrite(unit.node, unit.pointer, new Map([...unit.anchors, ...toAnchors(meanings)]))]);
    return toComponentReference(name) + rest;
  };

  const rewrite = (value: unknown, pointer: string, bound?: Anchors, hasNames = false): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const children = Object.entries(value).map(([key, child]: [string, unknown]) => {
      if (!hasNames && isData(key, child)) return [key, child] as const;
      const at = joinPointer(pointer, key);
      const inner = bound ?? units.get(at)?.anchors;
      return [key, rewrite(child, at, inner, !hasNames && isNamed(key, child))] as const;
    });
    const isChanged = children.some(([key, child]) => child !== (value as Node)[key]);
    if (Array.isArray(value)) {
      if (!isChanged) return value;
      const list = children.map(([, child]) => child);
      copies.set(list, value);
      return list;
    }
    const entries = Object.fromEntries(children);
    const own = bound === undefined || hasNames ? entries : rewriteKeywords(entries, pointer, bound);
    if (own === entries && !isChanged) return value;
    copies.set(own, value);
    return own;
  };

  const rewriteKeywords = (node: Node, pointer: string, bound: Anchors): Node => {
    const reference = getReference(node);
    const target = findTarget(node, pointer, bound);
    const isAnchor = toText(node["$dynamicAnchor"]) !== undefined;
    const redirected = reference && bind(reference, bound);
    if (target === undefined && !isAnchor && redirected === reference) return node;
    const rest = Object.fromEntries(
      Object.entries(node).filter(([key]) => key !== "$dynamicAnchor" && key !== "$dynamicRef"),
    );
    const kept = { ...rest, ...(redirected !== undefined && { $ref: redirected }) };
    if (target === undefined)
      return { ...kept, ...("$dynamicRef" in node && { $dynamicRef: node["$dynamicRef"] }) };
    const $ref = bind(target, bound);
    if (redirected === undefined) return { ...kept, $ref };
    const allOf = getOwn(rest, "allOf");
    return { ...kept, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { $ref }] };
  };

  const findTarget = (node: Node, pointer: string, bound: Anchors): string | undefined => {
    const reference = toText(node["$dynamicRef"]);
    if (reference?.startsWith("#/") === true) {
      const [own = ""] = COMPONENT.exec(pointer)?.slice(1) ?? [];
      return [reference, own + reference.slice(1)].find((one) => getByPointer(document, one) !== undefined);
    }
    const name = reference?.startsWith("#") === true ? reference.slice(1) : undefined;
    if (name === undefined) return undefined;
    const own = bound.get(name);
    if (own !== undefined) return own;
    const found = [...units.values()].flatMap(({ anchors }) => anchors.get(name) ?? []);
    return found.length === 1 ? found[0] : undefined;
  };

  const rewritten = rewrite(document, "#") as Node;
  const components = toNode(getOwn(rewritten, "components"));
  const extended = { ...toNode(getOwn(components, "schemas")), ...Object.fromEntries(made) };
  const resolved = { ...rewritten, components: { ...components, schemas: extended } };
  copies.set(resolved, document);
  copies.set(resolved.components, toNode(getOwn(document, "components")));
  copies.set(extended, schemas);
  return { document: resolved, copies };
}

const COMPONENT = /^(#\/components\/schemas\/[^/]+)(\/.*)?$/;

function findUnits(document: Node): ReadonlyMap<string, Unit> {
  const units = new Map<string, Unit>();
  const visit = (value: unknown, pointer: string, unit?: Unit, hasNames = false): void => {
    if (typeof value !== "object" || value === null) return;
    if (unit !== undefined && !hasNames) {
      const node = value as Node;
      const [anchor, use] = [toText(node["$dynamicAnchor"]), toText(node["$dynamicRef"])];
      if (anchor !== undefined) unit.anchors.set(anchor, pointer);
      if (use !== undefined) unit.uses.add(use.slice(1));
      const [, component] = COMPONENT.exec(getReference(node) ?? "") ?? [];
      if (component !== undefined) unit.references.add(component);
    }
    for (const [key, child] of Object.entries(value) as [string, unknown][]) {
      if (!hasNames && isData(key, child)) continue;
      const at = joinPointer(pointer, key);
      let inner = unit;
      if (unit === undefined && (COMPONENT.test(at) || (!hasNames && key === "schema"))) {
        inner = { pointer: at, node: child, anchors: new Map(), uses: new Set(), references: new Set() };
        units.set(at, inner);
      }
      visit(child, at, inner, !hasNames && isNamed(key, child));
    }
  };
  visit(document, "#");
  return units;
}

/** Finds the names that the meaning of each unit depends on, through its references. */
function findNeeds(units: ReadonlyMap<string, Unit>): ReadonlyMap<string, ReadonlySet<string>> {
  const needs = new Map([...units].map(([pointer, { uses }]) => [pointer, new Set(uses)]));
  const all = [...units.values()];
  let isGrowing = true;
  while (isGrowing) {
    isGrowing = false;
    for (const [pointer, own] of needs) {
      const { references = [] } = units.get(pointer) ?? {};
      const targets = all.filter(({ anchors }) => [...own].some((name) => anchors.has(name)));
      for (const target of [...references, ...targets.map((unit) => unit.pointer)])
        for (const name of needs.get(target) ?? []) {
          isGrowing ||= !own.has(name);
          own.add(name);
        }
    }
  }
  return needs;
}

type Meanings = readonly (readonly [name: string, target: string | undefined])[];

function toAnchors(meanings: Meanings): Anchors {
  return new Map(
    meanings.flatMap(([name, target]) => (target === undefined ? [] : [[name, target] as const])),
  );
}

/** `Page` used in `Pets` becomes `Page_Pets`. */
function nameCopy(component: string, meanings: Meanings, isTaken: (name: string) => boolean): string {
  const lastKey = (pointer: string) => pointer.split("/")[3] ?? "";
  const owner = meanings
    .map(([, target]) => COMPONENT.exec(target ?? "")?.[1])
    .find((one) => one && one !== component);
  const name = [lastKey(component), ...(owner === undefined ? [] : [lastKey(owner)])].join("_");
  let unique = name;
  for (let count = 2; isTaken(unique); count += 1) unique = `${name}_${count}`;
  return unique;
}
