import type { Sides } from "../../sides.js";
import {
  type Conjunction,
  isAnything,
  isNever,
  type ObjectShape,
  undeclaredSchemaOf,
} from "../normal-form/index.js";
import { comparePropertyCounts } from "./compare-limits.js";
import { type Difference, type Edge, type Expansion, placeOfKeyword, placeOfProperty } from "./difference.js";

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

function compareProperty(name: string, pair: Pair, found: Found): void {
  const { base, revision } = pair;
  const [before, after] = [base.properties.get(name), revision.properties.get(name)];
  if (before !== undefined && after !== undefined) {
    found.edges.push({ step: `.${name}`, base: before, revision: after });
    compareRequired(name, pair, found);
  } else if (before !== undefined) compareRemoved(name, before, pair, found);
  else if (after !== undefined) compareAdded(name, after, pair, found);
  else if (!base.hidden.has(name) && !revision.hidden.has(name)) compareRequired(name, pair, found);
}

/** Compares a property with what the revision allows undeclared properties to be. */
function compareRemoved(name: string, before: Conjunction, pair: Pair, { differences, edges }: Found): void {
  const { base, revision } = pair;
  const place = { ...toPlace(name, pair), property: before };
  const hidden = revision.hidden.get(name) ?? base.hidden.get(name);
  if (hidden !== undefined) {
    const code = hidden === "readOnly" ? "property-became-read-only" : "property-became-write-only";
    differences.push({ ...place, name: code, effect: "wider" });
    return;
  }
  const rest = undeclaredSchemaOf(revision, name);
  const edge = { step: `.${name}`, base: before, revision: rest };
  const required = base.required.has(name);
  if (isNever(before)) {
    if (!isNever(rest)) edges.push(edge);
  } else if (isNever(rest)) {
    const code = required ? "closed-required-property-removed" : "closed-property-removed";
    differences.push({ ...place, name: code, effect: "narrower" });
  } else if (revision.required.has(name)) {
    // Still required, but no longer described: values of any kind.
    edges.push(edge);
  } else {
    const code = required ? "required-property-removed" : "optional-property-removed";
    differences.push({ ...place, name: code, effect: "wider" });
    if (!isAnything(rest)) edges.push(edge);
  }
}

/** Compares what the base allowed undeclared properties to be with a property. */
function compareAdded(name: string, after: Conjunction, pair: Pair, { differences, edges }: Found): void {
  const { base, revision } = pair;
  const place = toPlace(name, pair);
  const required = revision.required.has(name);
  const hidden = revision.hidden.get(name) ?? base.hidden.get(name);
  if (hidden !== undefined) {
    const code = hidden === "readOnly" ? "property-no-longer-read-only" : "property-no-longer-write-only";
    differences.push({ ...place, name: code, effect: "narrower" });
    if (required) differences.push({ ...place, name: "required-property-added", effect: "narrower" });
    return;
  }
  const rest = undeclaredSchemaOf(base, name);
  const edge = { step: `.${name}`, base: rest, revision: after };
  if (isNever(after)) {
    if (!isNever(rest)) edges.push(edge);
  } else if (isNever(rest)) {
    const code = required ? "closed-required-property-added" : "closed-property-added";
    differences.push({ ...place, name: code, effect: required ? "unknown" : "wider" });
  } else if (base.required.has(name)) {
    edges.push(edge);
  } else {
    const code = required ? "required-property-added" : "optional-property-added";
    differences.push({ ...place, name: code, effect: "narrower" });
    if (!isAnything(rest)) edges.push(edge);
  }
}

function toPlace(name: string, { base, revision }: Pair): Pick<Difference, "subject" | "base" | "revision"> {
  return {
    subject: name,
    base: placeOfProperty(base.sources, name),
    revision: placeOfProperty(revision.sources, name),
  };
}

function compareRequired(name: string, { base, revision }: Pair, { differences }: Found): void {
  const [before, after] = [base.required.has(name), revision.required.has(name)];
  if (before === after) return;
  const property = base.properties.get(name);
  differences.push({
    name: after ? "property-became-required" : "property-became-optional",
    effect: after ? "narrower" : "wider",
    subject: name,
    base: placeOfKeyword(base.sources, "required"),
    revision: placeOfKeyword(revision.sources, "required"),
    ...(property && { property }),
  });
}

/** Compares patterns of equal text; other patterns only count as different. */
function comparePatternProperties({ base, revision }: Pair, { differences, edges }: Found): void {
  for (const pattern of new Set([...base.patterns.keys(), ...revision.patterns.keys()])) {
    const [before, after] = [base.patterns.get(pattern), revision.patterns.get(pattern)];
    if (before !== undefined && after !== undefined) {
      edges.push({ step: `./${pattern}/`, base: before, revision: after });
      continue;
    }
    differences.push({
      name: after === undefined ? "pattern-properties-removed" : "pattern-properties-added",
      effect: "unknown",
      subject: pattern,
      base: placeOfKeyword(base.sources, "patternProperties"),
      revision: placeOfKeyword(revision.sources, "patternProperties"),
    });
  }
}

/** Compares what undeclared properties may be. */
function compareRest({ base, revision }: Pair, { differences, edges }: Found): void {
  const [before, after] = [isNever(base.rest), isNever(revision.rest)];
  if (before !== after) {
    const keys = ["additionalProperties", "unevaluatedProperties"];
    differences.push({
      name: after ? "additional-properties-forbidden" : "additional-properties-allowed",
      effect: after ? "narrower" : "wider",
      base: placeOfKeyword(base.sources, ...keys),
      revision: placeOfKeyword(revision.sources, ...keys),
    });
  } else if (!before) {
    edges.push({ step: ".*", base: base.rest, revision: revision.rest });
  }
}
