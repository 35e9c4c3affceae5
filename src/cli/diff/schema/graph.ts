import { type Lifecycle, rankStability, type Stability } from "tenon/core/document";
import type { SchemaRegistry, Side } from "tenon/core/schema";
import type { Sides } from "../sides.js";
import {
  type Annotations,
  compareAnnotations,
  compareNormalForms,
  type Difference,
  type Expansion,
  merge,
  placeOfSchema,
  readAnnotations,
  type Relation,
} from "./compare/index.js";
import {
  type Conjunction,
  isAnything,
  isNever,
  isWholeKind,
  type Kind,
  Normalizer,
} from "./normal-form/index.js";

/** A difference and its path in the value: `.owner.name`, `.pets[].id`. */
export interface Found {
  readonly difference: Difference;
  readonly path: string;
  /** It is within alternatives that may overlap. */
  readonly overlapping: boolean;
  /** The lowest stability that the base gives its property and everything around it. */
  readonly stability: Stability;
  /** Lifecycle in the base of the property that differs. */
  readonly property?: Lifecycle;
}

/** The surroundings of a pair on one path to it. */
interface Within {
  readonly overlapping: boolean;
  readonly stability: Stability;
}

interface PairNode {
  readonly base: Conjunction;
  readonly revision: Conjunction;
  expansion?: Expansion;
  /** The nodes of the expansion's edges. */
  next: readonly PairNode[];
}

const NONE: Expansion = { differences: [], edges: [] };

/**
 * Pairs of schemas in one direction, each compared once however often contracts refer to it. A pair that is met again while it
 * is being compared counts as equal there, so that circular schemas end; its differences are reported at its first place.
 */
export class SchemaGraph {
  readonly #base: Normalizer;
  readonly #revision: Normalizer;
  readonly #nodes = new Map<string, PairNode>();
  readonly #within = new Set<PairNode>();
  readonly #annotations = [new Map<string, Annotations>(), new Map<string, Annotations>()] as const;

  constructor(
    readonly registries: Sides<SchemaRegistry>,
    side: Side,
  ) {
    this.#base = new Normalizer(registries.base, side);
    this.#revision = new Normalizer(registries.revision, side);
  }

  /** Finds all differences between two schemas at any depth, each once, by the shortest path. */
  compare(base: Conjunction, revision: Conjunction): readonly Found[] {
    const found: Found[] = [];
    this.#visit(this.#node(base, revision), (node, path, { overlapping, stability }) => {
      for (const difference of node.expansion?.differences ?? []) {
        const property = difference.property && this.#readBase(difference.property).lifecycle;
        found.push({
          difference,
          path,
          overlapping: overlapping || difference.overlapping === true,
          stability: lesser(stability, property?.stability),
          ...(property && { property }),
        });
      }
      return true;
    });
    return found;
  }

  isSame(base: Conjunction, revision: Conjunction): boolean {
    const { narrower, wider } = this.#relate({ differences: [], edges: [{ step: "", base, revision }] });
    return !narrower && !wider;
  }

  /** Tests whether either schema allows values of a kind and restricts them. */
  admits(kind: Kind, base: Conjunction, revision: Conjunction): boolean {
    return [this.#base.normalize(base), this.#revision.normalize(revision)].some(({ shapes }) =>
      shapes.some((shape) => shape.kind === kind && !isWholeKind(shape)),
    );
  }

  #visit(root: PairNode, see: (node: PairNode, path: string, within: Within) => boolean): void {
    interface Step {
      readonly node: PairNode;
      readonly path: string;
      readonly within: Within;
    }
    const start: Within = { overlapping: false, stability: "stable" };
    // A pair has another meaning within alternatives that may overlap, or where the contract promises more stability.
    const seen = new Map<PairNode, readonly Within[]>([[root, [start]]]);
    let pending: readonly Step[] = [{ node: root, path: "", within: start }];
    while (pending.length > 0) {
      const following: Step[] = [];
      for (const { node, path, within } of pending) {
        this.#expand(node);
        const stability = lesser(within.stability, this.#readBase(node.base).lifecycle.stability);
        const { overlapping } = within;
        if (!see(node, path, { overlapping, stability })) return;
        node.next.forEach((child, index) => {
          const edge = node.expansion?.edges[index];
          const inner = { overlapping: overlapping || edge?.overlapping === true, stability };
          const before = seen.get(child) ?? [];
          if (before.some((other) => covers(other, inner))) return;
          seen.set(child, [...before, inner]);
          following.push({ node: child, path: `${path}${edge?.step ?? ""}`, within: inner });
        });
      }
      pending = following;
    }
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
    const expansion = isTrivial(node) ? NONE : this.#compare(node);
    node.next = expansion.edges.map(({ base, revision }) => this.#node(base, revision));
    node.expansion = expansion;
    this.#within.delete(node);
  }

  #compare({ base, revision }: PairNode): Expansion {
    const places = { base: placeOfSchema(base), revision: placeOfSchema(revision) };
    const annotations =
      isNever(base) || isNever(revision)
        ? []
        : compareAnnotations(this.#readBase(base), this.#readRevision(revision), places);
    const forms = { base: this.#base.normalize(base), revision: this.#revision.normalize(revision) };
    const values = compareNormalForms(forms, places, {
      isSame: (one, other) => this.isSame(one, other),
      relate: (expansion) => this.#relate(expansion),
    });
    return merge([{ differences: annotations, edges: [] }, values]);
  }

  #relate({ differences, edges }: Expansion): Relation {
    let [narrower, wider] = [false, false];
    const see = (all: readonly Difference[]): boolean => {
      for (const { effect } of all) {
        narrower ||= effect === "narrower" || effect === "unknown";
        wider ||= effect === "wider" || effect === "unknown";
      }
      return !(narrower && wider);
    };
    see(differences);
    for (const { base, revision } of edges) {
      if (narrower && wider) break;
      this.#visit(this.#node(base, revision), (node) => see(node.expansion?.differences ?? []));
    }
    return { narrower, wider };
  }

  #readBase(schema: Conjunction): Annotations {
    return readOnce(schema, this.registries.base, this.#annotations[0]);
  }

  #readRevision(schema: Conjunction): Annotations {
    return readOnce(schema, this.registries.revision, this.#annotations[1]);
  }
}

function readOnce(
  schema: Conjunction,
  registry: SchemaRegistry,
  known: Map<string, Annotations>,
): Annotations {
  const made = known.get(schema.key) ?? readAnnotations(schema, registry);
  known.set(schema.key, made);
  return made;
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
