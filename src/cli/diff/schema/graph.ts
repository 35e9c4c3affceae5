import { type Lifecycle, rankStability, type Stability } from "tenon/core/document/lifecycle";
import type { Direction, View } from "../view.js";
import { type Annotations, readAnnotations } from "./annotations.js";
import { compareAnnotations } from "./compare-annotations.js";
import { compareShapes } from "./compare-shapes.js";
import { compareTypes } from "./compare-types.js";
import { isAnything, isNever } from "./conjunction.js";
import { type Edge, type Expansion, merge } from "./expansion.js";
import { type Fact, findKeyword } from "./fact.js";
import { matchShapes, type Verdict } from "./match.js";
import { Normalizer } from "./normalize.js";
import { type Conjunction, type Kind, KINDS, type Shape } from "./shape.js";
import { isWholeKind } from "./simplify.js";

/** A fact and where in the value it is: `.owner.name`, `.pets[].id`. */
export interface Found {
  readonly fact: Fact;
  readonly path: string;
  /** Within alternatives that may overlap. */
  readonly overlapping: boolean;
  /** The least that the base promises of what the fact is about, and of everything that it is within. */
  readonly stability: Stability;
  /** What the base says of the property that the fact is about. */
  readonly property?: Lifecycle;
}

/** What a pair is within, on one of the ways to it. */
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

const NONE: Expansion = { facts: [], edges: [] };

/**
 * Pairs of schemas in one direction, each compared once however often contracts refer to it. Circles need no end: a pair that is
 * being compared is taken to be the same wherever it is met again, and what it differs in is told at itself.
 */
export class SchemaGraph {
  readonly #base: Normalizer;
  readonly #revision: Normalizer;
  readonly #nodes = new Map<string, PairNode>();
  readonly #within = new Set<PairNode>();
  readonly #annotations = [new Map<string, Annotations>(), new Map<string, Annotations>()] as const;

  constructor(
    readonly views: { readonly base: View; readonly revision: View },
    readonly direction: Direction,
  ) {
    this.#base = new Normalizer(views.base, direction);
    this.#revision = new Normalizer(views.revision, direction);
  }

  /** Everything that two schemas and what they consist of differ in, each once, by the shortest path. */
  compare(base: Conjunction, revision: Conjunction): readonly Found[] {
    const found: Found[] = [];
    this.#visit(this.#node(base, revision), (node, path, { overlapping, stability }) => {
      for (const fact of node.expansion?.facts ?? []) {
        const property = fact.property && this.#readBase(fact.property).lifecycle;
        found.push({
          fact,
          path,
          overlapping: overlapping || fact.overlapping === true,
          stability: lesser(stability, property?.stability),
          ...(property && { property }),
        });
      }
      return true;
    });
    return found;
  }

  isSame(base: Conjunction, revision: Conjunction): boolean {
    const { narrower, wider } = this.#judge({ facts: [], edges: [{ step: "", base, revision }] });
    return !narrower && !wider;
  }

  /** Whether values of either side can be of a kind, other than because they can be anything. */
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
    // What is met again within alternatives that may overlap, or where more is promised, means something else there.
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
    const expansion = isTrivial(node) ? NONE : this.#compareNormals(node);
    node.next = expansion.edges.map(({ base, revision }) => this.#node(base, revision));
    node.expansion = expansion;
    this.#within.delete(node);
  }

  #compareNormals({ base, revision }: PairNode): Expansion {
    const [before, after] = [this.#base.normalize(base), this.#revision.normalize(revision)];
    const places = { base: toPlace(base, this.views.base), revision: toPlace(revision, this.views.revision) };
    const annotations: Expansion = {
      facts:
        isNever(base) || isNever(revision)
          ? []
          : compareAnnotations(this.#readBase(base), this.#readRevision(revision), places),
      edges: [],
    };
    const types = compareTypes(before, after, places);
    const kinds = KINDS.map((kind) => {
      const one = before.shapes.filter((shape) => shape.kind === kind);
      const other = after.shapes.filter((shape) => shape.kind === kind);
      if (one.length === 0 || other.length === 0) return NONE;
      const { facts, edges } = this.#compareUnions(one, other);
      // From anything to an integer, types are fewer once.
      return { facts: facts.filter(({ name }) => !types.some((told) => told.name === name)), edges };
    });
    const truncated: Fact[] =
      before.truncated || after.truncated
        ? [{ name: "alternatives-not-compared", effect: "unknown", ...places }]
        : [];
    const compared = merge([annotations, { facts: [...types, ...truncated], edges: [] }, ...kinds]);
    const isSure = areSameLists(before.overlaps, after.overlaps, (one, other) =>
      areSameLists(one, other, (a, b) => this.isSame(a, b)),
    );
    return isSure ? compared : this.#toOverlapping(compared, places);
  }

  /** Where `oneOf` is about other alternatives than it was, what is told of the shapes is not sure. */
  #toOverlapping(
    compared: Expansion,
    places: { readonly base: string; readonly revision: string },
  ): Expansion {
    const { narrower, wider } = this.#judge(compared);
    const changed: Fact[] =
      narrower || wider ? [] : [{ name: "one-of-overlap-changed", effect: "unknown", ...places }];
    return {
      facts: [...compared.facts, ...changed].map((fact): Fact => ({ ...fact, overlapping: true })),
      edges: compared.edges.map((edge): Edge => ({ ...edge, overlapping: true })),
    };
  }

  #compareUnions(one: readonly Shape[], other: readonly Shape[]): Expansion {
    const { pairs, removed, added } = matchShapes(one, other, (a, b) =>
      this.#judge(this.#compareShapes(a, b)),
    );
    const sources = {
      base: findPlace(one),
      revision: findPlace(other),
    };
    const facts: Fact[] = [
      ...removed.map((shape): Fact => ({
        name: "alternative-removed",
        effect: "narrower",
        before: shape.label ?? shape.kind,
        base: findPlace([shape]),
        revision: sources.revision,
      })),
      ...added.map((shape): Fact => ({
        name: "alternative-added",
        effect: "wider",
        after: shape.label ?? shape.kind,
        base: sources.base,
        revision: findPlace([shape]),
      })),
    ];
    return merge([{ facts, edges: [] }, ...pairs.map(([a, b]) => this.#compareShapes(a, b))]);
  }

  #compareShapes(base: Shape, revision: Shape): Expansion {
    return compareShapes(base, revision, (one, other) => this.isSame(one, other));
  }

  #judge({ facts, edges }: Expansion): Verdict {
    let [narrower, wider] = [false, false];
    const see = (all: readonly Fact[]): boolean => {
      for (const { effect } of all) {
        narrower ||= effect === "narrower" || effect === "unknown";
        wider ||= effect === "wider" || effect === "unknown";
      }
      return !(narrower && wider);
    };
    see(facts);
    for (const { base, revision } of edges) {
      if (narrower && wider) break;
      this.#visit(this.#node(base, revision), (node) => see(node.expansion?.facts ?? []));
    }
    return { narrower, wider };
  }

  #readBase(schema: Conjunction): Annotations {
    return readOnce(schema, this.views.base, this.#annotations[0]);
  }

  #readRevision(schema: Conjunction): Annotations {
    return readOnce(schema, this.views.revision, this.#annotations[1]);
  }
}

function readOnce(schema: Conjunction, view: View, known: Map<string, Annotations>): Annotations {
  const made = known.get(schema.key) ?? readAnnotations(schema, view);
  known.set(schema.key, made);
  return made;
}

/** Whether what is told within one goes for the other too. */
function covers(one: Within, other: Within): boolean {
  if (other.overlapping && !one.overlapping) return false;
  return rankStability(one.stability) >= rankStability(other.stability);
}

function lesser(one: Stability, other: Stability = "stable"): Stability {
  return rankStability(other) < rankStability(one) ? other : one;
}

/** Two documents may share objects, which refer to other things in each: only what refers to nothing is the same at once. */
function isTrivial({ base, revision }: PairNode): boolean {
  return (isAnything(base) && isAnything(revision)) || (isNever(base) && isNever(revision));
}

/** Whether each of one list has its like in the other, in whatever order. */
function areSameLists<Of>(
  base: readonly Of[],
  revision: readonly Of[],
  isSame: (a: Of, b: Of) => boolean,
): boolean {
  const left = [...revision];
  for (const one of base) {
    const index = left.findIndex((other) => isSame(one, other));
    if (index < 0) return false;
    left.splice(index, 1);
  }
  return left.length === 0;
}

function findPlace(shapes: readonly Shape[]): string {
  return findKeyword(shapes.flatMap(({ sources }) => sources.slice(0, 1)));
}

function toPlace({ parts: [part] }: Conjunction, view: View): string {
  return part === undefined || part === false ? "#" : view.resolve(part).pointer;
}
