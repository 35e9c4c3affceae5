import type { Schema } from "tenon/core/schema";
import type { Sides } from "../../sides.js";
import { type Conjunction, isAnything, isNever } from "../normal-form/conjunction.js";
import { undeclaredSchemaOf } from "../normal-form/intersect.js";
import type { ObjectShape } from "../normal-form/shape.js";
import { compareCounts } from "./compare-scalars.js";
import { type Difference, type Edge, type Expansion, placesOf, placesOfProperty } from "./difference.js";

type Pair = Sides<ObjectShape>;

/** The result of a comparison, while it is collected. */
interface Found {
  readonly differences: Difference[];
  readonly edges: Edge[];
}

export function compareObjects(pair: Pair): Expansion {
  const { base, revision } = pair;
  const found: Found = { differences: [...comparePropertyCounts(pair)], edges: [] };
  const names = [base.properties.keys(), revision.properties.keys(), base.required, revision.required];
  for (const name of new Set(names.flatMap((some) => [...some]))) compareProperty(name, pair, found);
  comparePatternProperties(pair, found);
  compareRest(pair, found);
  return found;
}

/** Compares numbers of properties; required properties imply a minimum. */
function comparePropertyCounts(pair: Pair): readonly Difference[] {
  const { base, revision } = pair;
  return compareCounts(pair, ["minProperties", "maxProperties"]).filter(({ name }) => {
    if (name === "min-properties-lowered") return revision.required.size < base.minProperties;
    return name !== "min-properties-raised" || base.required.size < revision.minProperties;
  });
}

function compareProperty(name: string, pair: Pair, found: Found): void {
  const { base, revision } = pair;
  const [before, after] = [base.properties.get(name), revision.properties.get(name)];
  if (before !== undefined && after !== undefined) {
    const required = base.required.has(name) && revision.required.has(name);
    found.edges.push({ step: `.${name}`, base: before, revision: after, required });
    compareRequired(name, pair, found);
  } else if (before !== undefined)
    compareWithRest({ name, declared: before, change: "removed" }, pair, found);
  else if (after !== undefined) compareWithRest({ name, declared: after, change: "added" }, pair, found);
  else if (!base.hidden.has(name) && !revision.hidden.has(name)) compareRequired(name, pair, found);
}

/** A property that only one side declares: the base if it was removed. */
interface LoneProperty {
  readonly name: string;
  readonly declared: Conjunction;
  readonly change: "removed" | "added";
}

/** Compares a property with what the other side allows undeclared properties to be. */
function compareWithRest(property: LoneProperty, pair: Pair, found: Found): void {
  const { differences, edges } = found;
  const { name, declared, change } = property;
  const { base, revision } = pair;
  const isRemoved = change === "removed";
  const [own, other] = isRemoved ? [base, revision] : [revision, base];
  const required = own.required.has(name);
  const report = (code: Difference["name"]) => {
    const declaring = required ? toRequired(name) : undefined;
    const rule = isRemoved
      ? { base: declaring, revision: toAbsent(name) }
      : { base: toAbsent(name), revision: declaring };
    const at = { subject: name, rule, ...placesOfProperty(pair, name) };
    differences.push({ name: code, ...at, ...(isRemoved && { property: declared }) });
  };
  const hidden = revision.hidden.get(name) ?? base.hidden.get(name);
  if (hidden !== undefined) {
    const keyword = hidden === "readOnly" ? "read-only" : "write-only";
    if (isRemoved && !required) report(`optional-property-became-${keyword}`);
    else report(`property-${isRemoved ? "became" : "no-longer"}-${keyword}`);
    if (required && !isRemoved) report("required-property-added");
    return;
  }
  const rest = undeclaredSchemaOf(other, name);
  const [before, after] = isRemoved ? [declared, rest] : [rest, declared];
  const edge = { step: `.${name}`, base: before, revision: after };
  if (isNever(declared)) {
    if (!isNever(rest)) edges.push(edge);
  } else if (isNever(rest)) {
    report(required ? `closed-required-property-${change}` : `closed-property-${change}`);
  } else if (other.required.has(name)) {
    // Required, but not described on the other side: values of any kind there.
    compareRequired(name, pair, found);
    edges.push(edge);
  } else {
    report(required ? `required-property-${change}` : `optional-property-${change}`);
    if (!isAnything(rest)) edges.push(edge);
  }
}

function compareRequired(name: string, pair: Pair, { differences }: Found): void {
  const after = pair.revision.required.has(name);
  if (pair.base.required.has(name) === after) return;
  const property = pair.base.properties.get(name);
  differences.push({
    name: after ? "property-became-required" : "property-became-optional",
    subject: name,
    rule: { base: toRequired(name), revision: toRequired(name) },
    ...placesOf(pair, "required"),
    ...(property && { property }),
  });
}

/** Compares patterns of equal text; other patterns only count as different. */
function comparePatternProperties(pair: Pair, { differences, edges }: Found): void {
  const { base, revision } = pair;
  for (const pattern of new Set([...base.patterns.keys(), ...revision.patterns.keys()])) {
    const [before, after] = [base.patterns.get(pattern), revision.patterns.get(pattern)];
    if (before !== undefined && after !== undefined) {
      edges.push({ step: `./${pattern}/`, base: before, revision: after });
      continue;
    }
    const [name, direction, other] =
      after === undefined
        ? (["pattern-properties-removed", "request", revision] as const)
        : (["pattern-properties-added", "response", base] as const);
    // A pattern only restricts properties if any other property is allowed.
    const levels = isAnything(other.rest) ? { levels: { [direction]: "safe" } as const } : {};
    differences.push({ name, subject: pattern, ...levels, ...placesOf(pair, "patternProperties") });
  }
}

function compareRest(pair: Pair, { differences, edges }: Found): void {
  const [before, after] = [isNever(pair.base.rest), isNever(pair.revision.rest)];
  if (before !== after) {
    const name = after ? "additional-properties-forbidden" : "additional-properties-allowed";
    const rule = { base: toClosed(pair.base), revision: toClosed(pair.revision) };
    differences.push({ name, rule, ...placesOf(pair, "additionalProperties", "unevaluatedProperties") });
  } else if (!before) {
    edges.push({ step: ".*", base: pair.base.rest, revision: pair.revision.rest });
  }
}

function toRequired(name: string): Schema {
  return { pointer: "#", required: [name] };
}

function toAbsent(name: string): Schema {
  return { pointer: "#", properties: Object.fromEntries([[name, NOTHING]]) };
}

/** Builds a schema that only allows the properties that a shape describes. */
function toClosed({ properties, patterns, hidden }: ObjectShape): Schema {
  const toAny = (names: Iterable<string>) =>
    Object.fromEntries([...names].map((name) => [name, { pointer: "#" }]));
  return {
    pointer: "#",
    properties: toAny([...properties.keys(), ...hidden.keys()]),
    patternProperties: toAny(patterns.keys()),
    additionalProperties: NOTHING,
  };
}

const NOTHING: Schema = { pointer: "#", never: true };
