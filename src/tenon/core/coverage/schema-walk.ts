import type { Node } from "../legacy/document.js";
import { joinPointer } from "../document/pointer.js";
import { isNode as isObject } from "../document/node.js";
import type { At, ContractNodes } from "./contract-node.js";
import type { Point } from "./points.js";
import { findFacts, isOfType, type Side, type ValueFact } from "./value-facts.js";

type Found = (point: Point) => void;

/** What is asked of a schema again and again, worked out once. */
interface KnownSchema {
  readonly facts: readonly (Pick<ValueFact, "holds"> & { readonly point: Point })[];
  readonly properties: ReadonlyMap<string, { readonly at: At; readonly point: Point }>;
  /** Schemas that judge the same value. */
  readonly parts: readonly At[];
  readonly items: At | undefined;
  /** Of properties that are not named. */
  readonly others: At | undefined;
}

/** The points of schemas, for the values of one side. */
export class SchemaWalk {
  private readonly known = new WeakMap<Node, KnownSchema>();

  constructor(
    private readonly side: Side,
    private readonly nodes: ContractNodes,
  ) {}

  /** Every point of a schema and of all that it is made of, once. */
  list(root: At, found: Found): void {
    const seen = new Set<string>();
    const pending = [root];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at.pointer)) continue;
      seen.add(at.pointer);
      const { facts, properties, parts, items, others } = this.know(at);
      for (const { point } of facts) found(point);
      for (const property of properties.values()) {
        found(property.point);
        pending.push(property.at);
      }
      pending.push(...parts, ...[items, others].filter((one) => one !== undefined));
    }
  }

  /** The points of a schema that a value is an example of. */
  findTried(value: unknown, root: At, found: Found): void {
    const { facts, properties, parts, items, others } = this.know(root);
    for (const { holds, point } of facts) if (holds(value)) found(point);
    for (const part of parts) if (this.mayBe(value, part)) this.findTried(value, part, found);
    if (Array.isArray(value)) {
      if (items) for (const item of value) this.findTried(item, items, found);
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const property = properties.get(name);
        if (property !== undefined) {
          found(property.point);
          this.findTried(value[name], property.at, found);
        } else if (others !== undefined) {
          this.findTried(value[name], others, found);
        }
      }
    }
  }

  private know(at: At): KnownSchema {
    let known = this.known.get(at.node);
    if (known === undefined) {
      known = {
        facts: findFacts(at.node, this.side).map(({ keyword, title, holds }) => ({
          holds,
          point: this.toPoint(at.pointer + keyword, title),
        })),
        properties: this.findProperties(at),
        parts: ["allOf", "oneOf", "anyOf"].flatMap((key) => this.nodes.items(at, key)),
        items: this.nodes.member(at, "items"),
        others: this.nodes.member(at, "additionalProperties"),
      };
      this.known.set(at.node, known);
    }
    return known;
  }

  /** Properties that may be sent on this side. */
  private findProperties(root: At): KnownSchema["properties"] {
    const { pointer = "" } = this.nodes.member(root, "properties") ?? {};
    const unsent = this.side === "request" ? "readOnly" : "writeOnly";
    return new Map(
      this.nodes.members(root, "properties").flatMap(({ name, ...at }) => {
        if (at.node[unsent] === true) return [];
        // Where it is listed, and not what it refers to.
        return [[name, { at, point: this.toPoint(joinPointer(pointer, name), `property ${name}`) }] as const];
      }),
    );
  }

  private toPoint(pointer: string, title: string): Point {
    return { id: `${this.side} ${pointer}`, kind: `${this.side} value`, title, pointer };
  }

  /**
   * Whether a value may be of an alternative: it is of its type, has what it requires, and says the same where that says one
   * thing only. To know would take a validator; what is left open here counts as tried.
   */
  private mayBe(value: unknown, at: At): boolean {
    const { type, required } = at.node;
    if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
    if (!isObject(value)) return true;
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    if (names.some((name) => !Object.hasOwn(value, String(name)))) return false;
    for (const [name, property] of this.know(at).properties)
      if (Object.hasOwn(value, name) && !isChosen(value[name], property.at.node)) return false;
    return true;
  }
}

function isChosen(value: unknown, { const: only, enum: values }: Node): boolean {
  if (only !== undefined) return value === only;
  return !Array.isArray(values) || values.includes(value);
}
