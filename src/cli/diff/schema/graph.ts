import { type Lasting, rankStability, type Stability } from "tenon/core/document";
import type { SchemaRegistry, Side } from "tenon/core/schema";
import type { Sides } from "../sides.js";
import { effectOf } from "../codes/index.js";
import { type Annotations, compareAnnotations, readAnnotations } from "./compare/annotations.js";
import { compareNormalForms } from "./compare/compare-normal-forms.js";
import {
  type Difference,
  type Expansion,
  merge,
  placeOfSchema,
  type Relation,
} from "./compare/difference.js";
import { type Conjunction, isAnything, isNever } from "./normal-form/conjunction.js";
import { Normalizer } from "./normal-form/normalizer.js";
import type { Kind, Normal } from "./normal-form/shape.js";
import { isWholeKind } from "./normal-form/simplify.js";
import { accepts } from "./normal-form/values.js";

/** A difference and its path in the value: `.owner.name`, `.pets[].id`. */
export interface Found {
  readonly difference: Difference;
  readonly path: string;
  /** The schemas that differ. */
  readonly part: Sides<Conjunction>;
  /** The nearest schemas around the difference of which no other alternative allows what these do not, and their path. */
  readonly whole: Anchor;
  /** It is within alternatives that may overlap. */
  readonly overlapping: boolean;
  /** The lowest stability that the base gives its property and everything around it. */
  readonly stability: Stability;
  /** It is always there: a property that all objects of both sides have. */
  readonly required: boolean;
  /** Lifecycle in the base of the property that differs. */
  readonly property?: Lasting;
}

/** The surroundings of a pair on one path to it. */
interface Within {
  readonly overlapping: boolean;
  readonly stability: Stability;
}

interface Anchor extends Sides<Conjunction> {
  readonly path: string;
}

interface PairNode extends Sides<Conjunction> {
  expansion?: Expansion;
  /** The nodes of the expansion's edges. */
  next: readonly PairNode[];
}

const NONE: Expansion = { differences: [], edges: [] };

/** Pairs that are compared within each other. Each level takes stack. */
const MAX_DEPTH = 200;

/** A limit is met; the pair that is being compared stays undecided. */
class LimitError extends Error {}

/**
 * Pairs of schemas in one direction, each compared once however often contracts refer to it. A pair that is met again while it
 * is being compared counts as equal there, so that circular schemas end; its differences are reported at its first place.
 */
export class SchemaGraph {
  /**
   * Steps of one direction, four times what any of 795 published contracts takes: relations of alternatives, the pairs that each
   * one visits, and intersections of schemas. A count, because time differs between machines.
   */
  static maxSteps = 500_000;

  readonly #normalizers: Sides<Normalizer>;
  readonly #nodes = new Map<string, PairNode>();
  readonly #within = new Set<PairNode>();
  readonly #annotations = new Map<string, Annotations>();
  #steps = 0;

  constructor(
    readonly registries: Sides<SchemaRegistry>,
    side: Side,
  ) {
    const { base, revision } = registries;
    this.#normalizers = { base: new Normalizer(base, side), revision: new Normalizer(revision, side) };
  }

  /** Steps of all comparisons so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Finds all differences between two schemas at any depth, each once, by the shortest path. */
  compare(base: Conjunction, revision: Conjunction): readonly Found[] {
    const found: (Omit<Found, "required"> & { readonly node: PairNode })[] = [];
    const optional = this.#visit(
      this.#node(base, revision),
      (node, path, { overlapping, stability }, anchor) => {
        const { base: before, revision: after } = node;
        const part = { base: before, revision: after };
        for (const difference of node.expansion?.differences ?? []) {
          const property = difference.property && this.#read(difference.property, "base");
          found.push({
            node,
            difference,
            path,
            part,
            whole: anchor ?? { ...part, path },
            overlapping: overlapping || difference.overlapping === true,
            stability: lesser(stability, property?.lifecycle.stability),
            ...(property && { property }),
          });
        }
        return true;
      },
    );
    return found.map(({ node, ...one }) => ({ ...one, required: !optional.has(node) }));
  }

  /** Relates the values of two schemas, at any depth. */
  relate({ base, revision }: Sides<Conjunction>): Relation {
    return this.#relate({ differences: [], edges: [{ step: "", base, revision }] });
  }

  /** Tests whether a schema of one side allows values of a kind and restricts them. */
  admits(kind: Kind, side: keyof Sides<unknown>, schema: Conjunction): boolean {
    return this.#normalizers[side]
      .normalize(schema)
      .shapes.some((shape) => shape.kind === kind && !isWholeKind(shape));
  }

  /** Tests whether a parameter of one side can be a name in a path. Names are not of any format, such as `uuid`. */
  mayBeName(name: string, side: keyof Sides<unknown>, schema: Conjunction): boolean {
    const values = [
      name,
      [name],
      ...(Number.isFinite(Number(name)) ? [Number(name)] : []),
      ...(/^(?:true|false)$/.test(name) ? [name === "true"] : []),
    ];
    return this.#normalizers[side]
      .normalize(schema)
      .shapes.some(
        (shape) =>
          values.some((value) => accepts(shape, value)) && !("formats" in shape && shape.formats.length > 0),
      );
  }

  /** @returns the pairs that are not, or not only, required properties. */
  #visit(
    root: PairNode,
    see: (node: PairNode, path: string, within: Within, anchor: Anchor | undefined) => boolean,
  ): ReadonlySet<PairNode> {
    interface Step {
      readonly anchor?: Anchor | undefined;
      readonly node: PairNode;
      readonly path: string;
      readonly within: Within;
    }
    const start: Within = { overlapping: false, stability: "stable" };
    // A pair has another meaning within alternatives that may overlap, or where the contract promises more stability.
    const seen = new Map<PairNode, readonly Within[]>([[root, [start]]]);
    const optional = new Set([root]);
    let pending: readonly Step[] = [{ node: root, path: "", within: start }];
    while (pending.length > 0) {
      const following: Step[] = [];
      for (const { node, path, within, anchor } of pending) {
        this.#expand(node);
        const stability = lesser(within.stability, this.#read(node.base, "base").lifecycle.stability);
        const { overlapping } = within;
        if (!see(node, path, { overlapping, stability }, anchor)) return optional;
        node.next.forEach((child, index) => {
          const edge = node.expansion?.edges[index];
          if (edge?.required !== true) optional.add(child);
          const inner = { overlapping: overlapping || edge?.overlapping === true, stability };
          const before = seen.get(child) ?? [];
          if (before.some((other) => covers(other, inner))) return;
          seen.set(child, [...before, inner]);
          const isSure = edge?.alternative !== true && edge?.overlapping !== true;
          following.push({
            node: child,
            path: `${path}${edge?.step ?? ""}`,
            within: inner,
            anchor: anchor ?? (isSure ? undefined : { base: node.base, revision: node.revision, path }),
          });
        });
      }
      pending = following;
    }
    return optional;
  }

  #node(base: Conjunction, revision: Conjunction): PairNode {
    const key = `${base.key}|${revision.key}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node: PairNode = { base, revision, next: [] };
    this.#nodes.set(key, node);
    return node;
  }

  #expand(node: PairNode): void {
    if (node.expansion !== undefined || this.#within.has(node)) return;
    this.#within.add(node);
    const expansion = isTrivial(node) ? NONE : this.#compareWithin(node);
    node.next = expansion.edges.map(({ base, revision }) => this.#node(base, revision));
    node.expansion = expansion;
    this.#within.delete(node);
  }

  /** Compares a pair unless a limit is met: what cannot be compared is itself a difference that no rule decides. */
  #compareWithin(node: PairNode): Expansion {
    const { base, revision } = node;
    try {
      if (this.#within.size > MAX_DEPTH) throw new LimitError();
      if (base.parts.length > 1 || revision.parts.length > 1) this.#step();
      return this.#compare(node);
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      const places = { base: placeOfSchema(base), revision: placeOfSchema(revision) };
      // Around it, no rule decides either.
      return {
        differences: [{ name: "alternatives-not-compared", overlapping: true, ...places }],
        edges: [],
      };
    }
  }

  /** @throws {LimitError} when no step is left. */
  #step(): void {
    this.#steps += 1;
    if (this.#steps > SchemaGraph.maxSteps) throw new LimitError();
  }

  #compare({ base, revision }: PairNode): Expansion {
    const places = { base: placeOfSchema(base), revision: placeOfSchema(revision) };
    const annotations =
      isNever(base) || isNever(revision)
        ? []
        : compareAnnotations(this.#read(base, "base"), this.#read(revision, "revision"), places);
    const values = compareNormalForms(this.normalize({ base, revision }), places, {
      relateSchemas: (one, other) => this.relate({ base: one, revision: other }),
      relate: (expansion) => this.#relate(expansion),
    });
    return merge([annotations, values]);
  }

  /** Converts two schemas to their normal forms. */
  normalize({ base, revision }: Sides<Conjunction>): Sides<Normal> {
    const { base: ofBase, revision: ofRevision } = this.#normalizers;
    return { base: ofBase.normalize(base), revision: ofRevision.normalize(revision) };
  }

  #relate({ differences, edges }: Expansion): Relation {
    let [narrower, wider, overlapping] = [false, false, false];
    const see = (all: readonly Difference[], isWithin: boolean): boolean => {
      for (const one of all) {
        const effect = effectOf(one.name);
        if (effect === "none") continue;
        // One more value in an alternative can mean one fewer in the whole.
        const isUnsure = isWithin || one.overlapping === true;
        overlapping ||= isUnsure;
        narrower ||= isUnsure || effect !== "wider";
        wider ||= isUnsure || effect !== "narrower";
      }
      return !(narrower && wider);
    };
    see(differences, false);
    this.#step();
    for (const { base, revision, overlapping: isWithin = false } of edges) {
      if (narrower && wider) break;
      this.#visit(this.#node(base, revision), (node, _path, within) => {
        this.#step();
        return see(node.expansion?.differences ?? [], isWithin || within.overlapping);
      });
    }
    return { narrower, wider, overlapping };
  }

  /** Reads annotations; those of both sides share a cache, because their schemas differ. */
  #read(schema: Conjunction, side: keyof Sides<unknown>): Annotations {
    const known = this.#annotations.get(schema.key) ?? readAnnotations(schema, this.registries[side]);
    this.#annotations.set(schema.key, known);
    return known;
  }
}

/** Tests whether differences reported in one place also cover the other. */
function covers(one: Within, other: Within): boolean {
  if (other.overlapping && !one.overlapping) return false;
  return rankStability(one.stability) >= rankStability(other.stability);
}

function lesser(one: Stability, other: Stability = "stable"): Stability {
  return rankStability(other) < rankStability(one) ? other : one;
}

/** Tests whether two schemas are equal without comparing their contents. */
function isTrivial({ base, revision }: PairNode): boolean {
  return (isAnything(base) && isAnything(revision)) || (isNever(base) && isNever(revision));
}
