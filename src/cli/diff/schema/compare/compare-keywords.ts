import type { Schema } from "tenon/core/schema";
import type { SchemaCode } from "../../codes/index.js";
import type { Sides } from "../../sides.js";
import { type Conjunction, toSchema } from "../normal-form/conjunction.js";
import type { Opaque, Shape } from "../normal-form/shape.js";
import { type Difference, placesOf } from "./difference.js";

/** Tests whether two schemas allow the same values. */
export type IsSame = (base: Conjunction, revision: Conjunction) => boolean;

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
  readonly gone: readonly Opaque[];
  readonly come: readonly Opaque[];
}

/** Compares keywords such as `not`, `if` and `contains`, of which only equality, addition and removal are decided. */
export function compareKeywords(pair: Sides<Shape>, isSame: IsSame): readonly Difference[] {
  const { base, revision } = pair;
  const come = [...revision.opaque];
  const gone = base.opaque.filter((one) => {
    const index = come.findIndex((other) => isEqual(one, other, isSame));
    if (index >= 0) come.splice(index, 1);
    return index < 0;
  });
  const names = new Set([...gone, ...come].map(groupOf));
  return [...names].map((name): Difference => {
    const ofGroup = (all: readonly Opaque[]) => all.filter((one) => groupOf(one) === name);
    const group = {
      base: ofGroup(base.opaque),
      revision: ofGroup(revision.opaque),
      gone: ofGroup(gone),
      come: ofGroup(come),
    };
    const changed = [...group.come, ...group.gone].map(({ keyword }) => keyword);
    const subject = changed.includes(name) ? name : (changed[0] ?? name);
    const [keyword = subject] = subject.split(" ");
    return {
      name: toCode(name, group),
      subject,
      keyword: { base: toKeywordSchema(group.base), revision: toKeywordSchema(group.revision) },
      ...placesOf(pair, keyword),
    };
  });
}

function isEqual(one: Opaque, other: Opaque, isSame: IsSame): boolean {
  if (one.keyword !== other.keyword) return false;
  if (one.schema && other.schema) return isSame(one.schema, other.schema);
  return one.text !== undefined && one.text === other.text;
}

function toCode(name: string, { base, revision, gone, come }: Group): SchemaCode {
  if (base.length === 0) return "keyword-tightened";
  if (revision.length === 0) return "keyword-loosened";
  const has = (all: readonly Opaque[]) => all.some(({ keyword }) => keyword === name);
  if (name === "contains" || name === "if") {
    if (has(gone) || has(come)) return "keyword-changed";
    if (name === "contains") return compareCounts(base, revision);
  }
  if (gone.length === 0) return "keyword-tightened";
  return come.length === 0 ? "keyword-loosened" : "keyword-changed";
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
