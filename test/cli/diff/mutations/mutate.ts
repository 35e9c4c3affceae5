import { getByPointer, type Node, Source, toNode } from "../../../../src/tenon/core/document/index.js";
import { createRandom } from "../../../tenon/runtime/agreement-cases.js";
import { diffContracts } from "../../../../src/cli/diff/index.js";
import { LEVELS } from "../../../../src/cli/diff/change.js";
import { buildContract } from "../../../../src/tenon/core/model/index.js";
import { applyEdit, type Edit } from "../edit.js";
import { NOW } from "../pair.js";
import { REWRITES } from "../rewrite.js";
import { CONTRACT_KINDS } from "./contract-kinds.js";
import { SCHEMA_KINDS, type SchemaKind, type Truth } from "./schema-kinds.js";
import { findUses, type SchemaPlace, type Use } from "./uses.js";

/** A change of a document whose level is known without a comparison. */
export interface Mutation {
  readonly kind: string;
  /** The first place that changes. */
  readonly pointer: string;
  readonly truth: Truth;
  readonly apply: (document: Node) => Node;
}

/** `undecided`: `tenon diff` says that it cannot tell whether the change is breaking. */
export type Verdict = "right" | "miss" | "alarm" | "undecided";

export interface Outcome {
  readonly verdict: Verdict;
  readonly level: Truth;
  readonly codes: readonly string[];
}

export const KINDS: readonly string[] = [
  ...Object.keys(SCHEMA_KINDS),
  ...Object.keys(CONTRACT_KINDS),
  ...Object.keys(REWRITES),
];

/** Extensions by which changes have other levels: lifecycles lower them, and tools add changes of their own. */
export const LEVELLED: ReadonlySet<string> = new Set(["x-sunset", "x-stability-level", "x-mcp"]);

const ORDER: readonly Truth[] = ["none", ...LEVELS.toReversed()];

/** Characters of a document from which on it is not rewritten as a whole. */
const LARGE = 300_000;

/** Lists the mutations of a document whose truth is certain. */
export function* listMutations(document: Node): Iterable<Mutation> {
  const text = JSON.stringify(document);
  if ([...LEVELLED].some((name) => text.includes(`"${name}":`))) return;
  const uses = findUses(document);
  const source = new Source(document);
  const resolve = (schema: unknown) => {
    const node = toNode(schema);
    return "$ref" in node ? (source.resolve({ node, pointer: "#" })?.node ?? node) : node;
  };
  for (const place of /"\$(?:dynamicRef|id)":/.test(text) ? [] : uses.schemas) {
    // A reference to a part of it would lead elsewhere.
    if (text.includes(`"${place.pointer}/`)) continue;
    for (const [kind, found] of Object.entries(SCHEMA_KINDS)) {
      const truth = findTruth(found, place);
      const mutated = truth && found.mutate(place.schema, { dialect: uses.dialect, resolve });
      if (mutated !== undefined)
        yield { ...toMutation(kind, { set: { [place.pointer]: mutated } }), truth: truth ?? "none" };
    }
  }
  // What is referred to within a path would lose its place.
  if (text.includes('"#/paths/')) return;
  for (const [kind, { truth, find }] of Object.entries(CONTRACT_KINDS))
    for (const edit of find(uses)) yield { ...toMutation(kind, edit), truth };
  if (text.length > LARGE) return;
  for (const [kind, apply] of Object.entries(REWRITES)) yield { kind, pointer: "#", truth: "none", apply };
}

function toMutation(kind: string, edit: Edit): Omit<Mutation, "truth"> {
  const [pointer = "#"] = [...Object.keys(edit.set ?? {}), ...(edit.remove ?? [])];
  return { kind, pointer, apply: (document) => applyEdit(document, edit) };
}

/** The level that follows from all uses of a schema; undefined where another may be right. */
function findTruth(kind: SchemaKind, { uses }: SchemaPlace): Truth | undefined {
  const levels = { certain: [] as Truth[], possible: [] as Truth[] };
  for (const use of uses) {
    const truths = use.wire === "text" ? kind.asText : kind.truths;
    if (truths === undefined) return undefined;
    const level = truths[use.direction];
    if (use.kind === "certain") levels.certain.push(level);
    else levels.possible.push(isBounded(kind, use) ? level : "breaking");
  }
  const rank = (level: Truth) => ORDER.indexOf(level);
  const truth = levels.certain.toSorted((one, other) => rank(other) - rank(one))[0];
  if (truth === undefined) return undefined;
  const isSame = kind.truths.request === "none" && kind.truths.response === "none";
  return isSame || levels.possible.every((level) => rank(level) <= rank(truth)) ? truth : undefined;
}

/** Tests whether no higher level can follow where the schema is one of several. */
function isBounded({ isConvention = false }: SchemaKind, { kind }: Use): boolean {
  return kind === "partial" && !isConvention;
}

/** Compares a document with its mutation. */
export async function checkMutation(base: Node, { truth, apply }: Mutation): Promise<Outcome> {
  const locate = (pointer: string) => ({ file: "", line: 1, pointer });
  const [before, after] = [base, apply(base)].map((document) => ({
    contract: buildContract(document),
    locate,
  }));
  if (before === undefined || after === undefined) throw new Error("There are two contracts");
  const { changes } = await diffContracts({ base: before, revision: after }, { now: NOW });
  const counted = changes.filter(({ code }) => code !== "texts-changed");
  const level = counted[0]?.level ?? "none";
  const isOpen = counted.every(
    ({ level: one, why }) => one !== level || why.endsWith("cannot rule one out."),
  );
  const difference = ORDER.indexOf(level) - ORDER.indexOf(truth);
  const verdict =
    difference === 0
      ? "right"
      : level === "risky" && isOpen
        ? "undecided"
        : difference < 0
          ? "miss"
          : "alarm";
  return { verdict, level, codes: counted.map(({ code, level: one }) => `${one} ${code}`) };
}

export interface DrawOptions {
  /** Mutations that each kind has so far in all documents; rare kinds are drawn first. */
  readonly counts: Map<string, number>;
  readonly limit: number;
  readonly seed: number;
}

/** Draws mutations of a document, each of another kind. The same options give the same mutations. */
export function drawMutations(document: Node, { counts, limit, seed }: DrawOptions): readonly Mutation[] {
  const random = createRandom(seed);
  const byKind = new Map<string, Mutation[]>();
  for (const mutation of listMutations(document)) {
    const found = byKind.get(mutation.kind) ?? [];
    byKind.set(mutation.kind, found);
    found.push(mutation);
  }
  const drawn = [...byKind]
    .map(([kind, found]) => ({ kind, mutation: found[random(found.length)], order: random(1_000_000) }))
    .sort(
      (one, other) => (counts.get(one.kind) ?? 0) - (counts.get(other.kind) ?? 0) || one.order - other.order,
    )
    .slice(0, limit);
  return drawn.flatMap(({ kind, mutation }) => {
    if (mutation === undefined) return [];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [mutation];
  });
}

/** Shows what differs at the place of a mutation. */
export function showPlace(document: Node, { pointer, apply }: Mutation): string {
  const show = (one: Node) => JSON.stringify(getByPointer(one, pointer) ?? null).slice(0, 300);
  return `${show(document)} → ${show(apply(document))}`;
}
