import { comparePropertyCounts, type Pair } from "./compare-limits.js";
import { isAnything, isNever } from "./conjunction.js";
import type { Edge, Expansion } from "./expansion.js";
import { type Fact, findKeyword, findProperty } from "./fact.js";
import { undeclaredSchemaOf } from "./members.js";
import type { ObjectShape } from "./shape.js";

export function compareObjects(pair: Pair<ObjectShape>): Expansion {
  const { base, revision } = pair;
  const facts: Fact[] = [...comparePropertyCounts(pair)];
  const edges: Edge[] = [];
  const names = new Set([...base.properties.keys(), ...revision.properties.keys()]);
  for (const name of base.required) names.add(name);
  for (const name of revision.required) names.add(name);
  for (const name of names) compareProperty(name, pair, facts, edges);
  comparePatternProperties(pair, facts, edges);
  compareRest(pair, facts, edges);
  return { facts, edges };
}

function compareProperty(name: string, pair: Pair<ObjectShape>, facts: Fact[], edges: Edge[]): void {
  const { base, revision } = pair;
  const [before, after] = [base.properties.get(name), revision.properties.get(name)];
  const place = {
    subject: name,
    base: findProperty(base.sources, name),
    revision: findProperty(revision.sources, name),
    ...(before !== undefined && { property: before }),
  };
  const step = `.${name}`;
  if (before !== undefined && after !== undefined) {
    edges.push({ step, base: before, revision: after });
    compareRequired(name, pair, facts);
    return;
  }
  const hidden = revision.hidden.get(name) ?? base.hidden.get(name);
  if (before === undefined && after === undefined) {
    if (hidden === undefined) compareRequired(name, pair, facts);
    return;
  }
  if (after === undefined && before !== undefined) {
    if (hidden !== undefined) {
      facts.push({
        ...place,
        name: hidden === "readOnly" ? "property-became-read-only" : "property-became-write-only",
        effect: "wider",
      });
      return;
    }
    const rest = undeclaredSchemaOf(revision, name);
    if (isNever(before)) {
      if (!isNever(rest)) edges.push({ step, base: before, revision: rest });
      return;
    }
    const required = base.required.has(name);
    // Still required, but described no longer: values of any kind.
    if (isNever(rest))
      facts.push({
        ...place,
        name: required ? "closed-required-property-removed" : "closed-property-removed",
        effect: "narrower",
      });
    else if (revision.required.has(name)) edges.push({ step, base: before, revision: rest });
    else {
      facts.push({
        ...place,
        name: required ? "required-property-removed" : "optional-property-removed",
        effect: "wider",
      });
      if (!isAnything(rest)) edges.push({ step, base: before, revision: rest });
    }
    return;
  }
  if (after === undefined) return;
  if (hidden !== undefined) {
    const visible = hidden === "readOnly" ? "property-no-longer-read-only" : "property-no-longer-write-only";
    facts.push({ ...place, name: visible, effect: "narrower" });
    if (revision.required.has(name))
      facts.push({ ...place, name: "required-property-added", effect: "narrower" });
    return;
  }
  const rest = undeclaredSchemaOf(base, name);
  if (isNever(after)) {
    if (!isNever(rest)) edges.push({ step, base: rest, revision: after });
    return;
  }
  const required = revision.required.has(name);
  if (isNever(rest)) {
    facts.push({
      ...place,
      name: required ? "closed-required-property-added" : "closed-property-added",
      effect: required ? "unknown" : "wider",
    });
  } else if (base.required.has(name)) {
    edges.push({ step, base: rest, revision: after });
  } else {
    facts.push({
      ...place,
      name: required ? "required-property-added" : "optional-property-added",
      effect: "narrower",
    });
    if (!isAnything(rest)) edges.push({ step, base: rest, revision: after });
  }
}

function compareRequired(name: string, { base, revision }: Pair<ObjectShape>, facts: Fact[]): void {
  const [before, after] = [base.required.has(name), revision.required.has(name)];
  if (before === after) return;
  const property = base.properties.get(name);
  facts.push({
    name: after ? "property-became-required" : "property-became-optional",
    effect: after ? "narrower" : "wider",
    subject: name,
    base: findKeyword(base.sources, "required"),
    revision: findKeyword(revision.sources, "required"),
    ...(property && { property }),
  });
}

/** Patterns that are written alike are compared; of others it is only known that they differ. */
function comparePatternProperties({ base, revision }: Pair<ObjectShape>, facts: Fact[], edges: Edge[]): void {
  for (const pattern of new Set([...base.patterns.keys(), ...revision.patterns.keys()])) {
    const [before, after] = [base.patterns.get(pattern), revision.patterns.get(pattern)];
    if (before !== undefined && after !== undefined) {
      edges.push({ step: `./${pattern}/`, base: before, revision: after });
      continue;
    }
    facts.push({
      name: after === undefined ? "pattern-properties-removed" : "pattern-properties-added",
      effect: "unknown",
      subject: pattern,
      base: findKeyword(base.sources, "patternProperties"),
      revision: findKeyword(revision.sources, "patternProperties"),
    });
  }
}

/** What may be there that nobody declares. */
function compareRest({ base, revision }: Pair<ObjectShape>, facts: Fact[], edges: Edge[]): void {
  const [before, after] = [isNever(base.rest), isNever(revision.rest)];
  if (before !== after) {
    const keys = ["additionalProperties", "unevaluatedProperties"];
    facts.push({
      name: after ? "additional-properties-forbidden" : "additional-properties-allowed",
      effect: after ? "narrower" : "wider",
      base: findKeyword(base.sources, ...keys),
      revision: findKeyword(revision.sources, ...keys),
    });
  } else if (!before) {
    edges.push({ step: ".*", base: base.rest, revision: revision.rest });
  }
}
