import type { Schema } from "tenon/core/schema";
import type { SchemaCode } from "../../codes/index.js";
import type { Sides } from "../../sides.js";
import { toSchema } from "../normal-form/conjunction.js";
import type { Opaque, Shape } from "../normal-form/shape.js";
import { type Difference, isEqual, placesOf, type RelateSchemas } from "./difference.js";

/** Keywords that only have a meaning together with another one. */
const GROUPS: Readonly<Record<string, string>> = {
  minContains: "contains",
  maxContains: "contains",
  then: "if",
  else: "if",
};

function groupOf({ keyword }: Opaque): string {
  return GROUPS[keyword] ?? keyword;
}

/** A group of keywords of two shapes, and those without an equal one on the other side. */
interface Group extends Sides<readonly Opaque[]> {
  /** Schemas also decide which properties or items are evaluated. */
  readonly decidesEvaluated: boolean;
  readonly gone: readonly Opaque[];
  readonly come: readonly Opaque[];
}

/** Compares keywords such as `not`, `if` and `contains`, of which only equality, addition and removal are decided. */
export function compareKeywords(pair: Sides<Shape>, relate: RelateSchemas): readonly Difference[] {
  const { base, revision } = pair;
  const come = [...revision.opaque];
  const gone = base.opaque.filter((one) => {
    const index = come.findIndex((other) => areEqual(one, other, relate));
    if (index >= 0) come.splice(index, 1);
    return index < 0;
  });
  const names = new Set([...gone, ...come].map(groupOf));
  const decidesEvaluated = [...base.sources, ...revision.sources].some(
    ({ unevaluatedItems, unevaluatedProperties }) =>
      (unevaluatedItems ?? unevaluatedProperties) !== undefined,
  );
  return [...names].map((name): Difference => {
    const ofGroup = (all: readonly Opaque[]) => all.filter((one) => groupOf(one) === name);
    const group = {
      base: ofGroup(base.opaque),
      revision: ofGroup(revision.opaque),
      gone: ofGroup(gone),
      come: ofGroup(come),
      decidesEvaluated,
    };
    const changed = [...group.come, ...group.gone].map(({ keyword }) => keyword);
    const subject = changed.includes(name) ? name : (changed[0] ?? name);
    const [keyword = subject] = subject.split(" ");
    return {
      name: toCode(name, group, relate),
      subject,
      keyword: { base: toKeywordSchema(group.base), revision: toKeywordSchema(group.revision) },
      ...placesOf(pair, keyword),
    };
  });
}

function areEqual(one: Opaque, other: Opaque, relate: RelateSchemas): boolean {
  if (one.keyword !== other.keyword) return false;
  if (one.schema && other.schema) return isEqual(relate(one.schema, other.schema));
  return one.text !== undefined && one.text === other.text;
}

function toCode(name: string, group: Group, relate: RelateSchemas): SchemaCode {
  const { base, revision, gone, come } = group;
  if (base.length === 0) return "keyword-tightened";
  if (revision.length === 0) return "keyword-loosened";
  const [before, after] = [gone[0], come[0]];
  if (before?.schema && after?.schema && gone.length + come.length === 2)
    return compareSchemas({ base: before, revision: after }, group, relate);
  const has = (all: readonly Opaque[]) => all.some(({ keyword }) => keyword === name);
  if (name === "contains" || name === "if") {
    if (has(gone) || has(come)) return "keyword-changed";
    if (name === "contains") return compareCounts(base, revision);
  }
  if (gone.length === 0) return "keyword-tightened";
  return come.length === 0 ? "keyword-loosened" : "keyword-changed";
}

/** Keywords that allow fewer values with a schema that allows fewer, and the one that allows more. */
const FOLLOWING = ["then", "else", "contains", "propertyNames", "dependentSchemas", "unevaluatedItems"];
const OPPOSED = ["not"];

/** Compares the only keyword of a group that changed, by its schemas. */
function compareSchemas(
  { base: before, revision: after }: Sides<Opaque>,
  { base, revision, decidesEvaluated }: Group,
  relate: RelateSchemas,
): SchemaCode {
  // More items count towards a maximum.
  const isCounted = [...base, ...revision].some(({ keyword }) => keyword === "maxContains");
  const isOther = before.keyword !== after.keyword || decidesEvaluated || isCounted;
  if (!before.schema || !after.schema || isOther) return "keyword-changed";
  const [keyword = ""] = before.keyword.split(" ");
  const isFollowing = FOLLOWING.includes(keyword);
  const { narrower, wider } = relate(before.schema, after.schema);
  if (narrower === wider || !(isFollowing || OPPOSED.includes(keyword))) return "keyword-changed";
  return narrower === isFollowing ? "keyword-tightened" : "keyword-loosened";
}

function compareCounts(base: readonly Opaque[], revision: readonly Opaque[]): SchemaCode {
  const read = (all: readonly Opaque[], wanted: string, otherwise: number) => {
    const counts = all.filter(({ keyword }) => keyword === wanted).map(({ text }) => Number(text));
    return counts.length > 1 ? NaN : (counts[0] ?? otherwise);
  };
  const least = read(revision, "minContains", 1) - read(base, "minContains", 1);
  const [before, after] = [read(base, "maxContains", Infinity), read(revision, "maxContains", Infinity)];
  if (least >= 0 && after <= before) return "keyword-tightened";
  return least <= 0 && after >= before ? "keyword-loosened" : "keyword-changed";
}

/** Builds a schema of only these keywords; undefined where keywords of several schemas belong together. */
function toKeywordSchema(keywords: readonly Opaque[]): Schema | undefined {
  if (keywords.length === 0) return undefined;
  const schemas = keywords.map(toOwnSchema);
  const names = new Set(keywords.map(({ keyword }) => keyword));
  if (names.size === keywords.length) return Object.assign({}, ...schemas) as Schema;
  return names.size === 1 ? { pointer: "#", allOf: schemas } : undefined;
}

function toOwnSchema({ keyword, schema, text = "" }: Opaque): Schema {
  const [name = keyword, property] = keyword.split(/ of (.*)/s);
  const value = schema === undefined ? (JSON.parse(text) as unknown) : toSchema(schema);
  if (property === undefined) return { pointer: "#", [name]: value };
  const own = name === "dependentRequired" ? [value] : value;
  return { pointer: "#", [name]: Object.fromEntries([[property, own]]) };
}
