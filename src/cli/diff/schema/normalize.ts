import { isNode, items, type Located, type Node, toArray, toText } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import { readDiscriminator, toComponentName } from "tenon/core/legacy/discriminator";
import type { Direction, View } from "../view.js";
import { readAnnotations } from "./annotations.js";
import { join } from "./conjunction.js";
import { areDisjoint } from "./disjoint.js";
import { intersect } from "./intersect.js";
import { readSchema, readShape, readTypes, toSchema } from "./keywords.js";
import { readOpaque } from "./opaque.js";
import { ANY, type Conjunction, type Normal, NOTHING, type ObjectShape, type Shape } from "./shape.js";
import { simplify } from "./simplify.js";
import { kindOf, toCanonical } from "./values.js";

/** Alternatives that a schema may have when its compositions are multiplied out. */
const MOST_SHAPES = 200;

/** Turns schemas of one document, in one direction, into their normal form. What was made is kept. */
export class Normalizer {
  readonly #made = new Map<string, Normal>();
  readonly #ofNodes = new Map<Node, Normal>();
  readonly #within = new Set<Node>();

  constructor(
    readonly view: View,
    readonly direction: Direction,
  ) {}

  normalize(schema: Conjunction): Normal {
    const known = this.#made.get(schema.key);
    if (known !== undefined) return known;
    const all = schema.parts.map((part) => (part === false ? NOTHING : this.#ofNode(part)));
    const [first = ANY, ...others] = all;
    const made = others.length === 0 ? first : finish(others.reduce(intersectAll, first));
    this.#made.set(schema.key, made);
    return made;
  }

  #ofNode(located: Located): Normal {
    const { node } = located;
    const known = this.#ofNodes.get(node);
    if (known !== undefined) return known;
    // A schema that consists of itself has no meaning of its own.
    if (this.#within.has(node)) return ANY;
    this.#within.add(node);
    const made = finish(this.#read(located));
    this.#within.delete(node);
    this.#ofNodes.set(node, made);
    return made;
  }

  #read(located: Located): Normal {
    const { node, pointer } = located;
    if (toText(node["$ref"]) === undefined) return label(this.#readKeywords(located), pointer);
    const target = this.view.follow(located);
    // A reference that leads nowhere has been told when the contract was loaded.
    if (target === located) return ANY;
    const referred = this.#ofNode(target);
    if (this.view.dialect30 || Object.keys(node).length === 1) return referred;
    return intersectAll(referred, this.#readKeywords(located));
  }

  #readKeywords(located: Located): Normal {
    const { node } = located;
    const { dialect30 } = this.view;
    let found = this.#readOwn(located);
    for (const part of items(located, "allOf")) found = intersectAll(found, this.#ofNode(part));
    if (toArray(node["allOf"]).includes(false)) found = NOTHING;
    const tags = this.#readTags(node);
    for (const key of ["oneOf", "anyOf"] as const) {
      if (!Array.isArray(node[key])) continue;
      const at = (index: number) => joinPointer(located.pointer, key, index);
      const choices = toArray(node[key]).map((choice, index) =>
        this.#readChoice(choice, at(index), tags?.(key, index)),
      );
      const schemas = toArray(node[key]).map((choice, index) => toSchema(choice, at(index)));
      found = intersectAll(found, uniteAll(choices, key === "oneOf" ? schemas : undefined));
    }
    found = this.#closeUnevaluated(found, located);
    // `nullable` beside an enum or a reference is read as its author meant it.
    return dialect30 && node["nullable"] === true ? { ...found, null: true } : found;
  }

  #readChoice(choice: unknown, pointer: string, tag: Located | undefined): Normal {
    if (choice === false) return NOTHING;
    if (!isNode(choice)) return ANY;
    const read = this.#ofNode({ node: choice, pointer });
    return tag === undefined ? read : finish(intersectAll(read, this.#ofNode(tag)));
  }

  /** What a discriminator says of each choice, as a schema; undefined where the choices say it themselves. */
  #readTags(node: Node): ((key: "oneOf" | "anyOf", index: number) => Located | undefined) | undefined {
    const discriminator = readDiscriminator(node, this.view.schemas);
    if (discriminator === undefined) return undefined;
    const { propertyName, choices } = discriminator;
    const discriminated = "oneOf" in node ? "oneOf" : "anyOf";
    return (key, index) => {
      const choice = choices[index];
      if (key !== discriminated || choice === undefined || choice.declared) return undefined;
      const tag = {
        type: "object",
        required: [propertyName],
        properties: { [propertyName]: { enum: choice.values } },
      };
      return { node: tag, pointer: choice.reference };
    };
  }

  #readOwn(located: Located): Normal {
    const { node } = located;
    const { dialect30 } = this.view;
    const types = readTypes(node, dialect30);
    const shapes = types.kinds.map((kind) => {
      const shape = readShape(kind, located, dialect30);
      const opaque = readOpaque(kind, located);
      const own = { ...shape, ...(opaque.length > 0 && { opaque }) };
      if (own.kind === "object") return this.#hide(own);
      return own.kind === "number" && types.integer ? { ...own, integer: true } : own;
    });
    const values = getOwn(node, "const") === undefined ? node["enum"] : [node["const"]];
    if (!Array.isArray(values)) return { ...NOTHING, null: types.null, shapes };
    return {
      ...NOTHING,
      null: values.includes(null) && types.null,
      shapes: shapes.map((shape) => ({ ...shape, values: pick(values, shape.kind) })),
    };
  }

  /** Takes out the properties that this direction never has. */
  #hide(shape: ObjectShape): ObjectShape {
    const keyword = this.direction === "request" ? "readOnly" : "writeOnly";
    const names = [...shape.properties]
      .filter(([, schema]) => readAnnotations(schema, this.view)[keyword])
      .map(([name]) => name);
    if (names.length === 0) return shape;
    const properties = new Map(shape.properties);
    const required = new Set(shape.required);
    for (const name of names) {
      properties.delete(name);
      required.delete(name);
    }
    return { ...shape, properties, required, hidden: new Map(names.map((name) => [name, keyword])) };
  }

  /** What no part of a schema has described is what `unevaluatedProperties` allows. */
  #closeUnevaluated(normal: Normal, located: Located): Normal {
    if (getOwn(located.node, "unevaluatedProperties") === undefined) return normal;
    const others = readSchema(located, "unevaluatedProperties");
    const shapes = normal.shapes.map((shape) =>
      shape.kind === "object" ? { ...shape, rest: join(shape.rest, others) } : shape,
    );
    return { ...normal, shapes };
  }
}

function finish(normal: Normal): Normal {
  return { ...normal, shapes: simplify(normal.shapes) };
}

/** A component names what it is; one that is a union leaves the names to its parts. */
function label(normal: Normal, pointer: string): Normal {
  const name = toComponentName(pointer);
  if (name === undefined) return normal;
  const counts = new Map<string, number>();
  for (const { kind } of normal.shapes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const shapes = normal.shapes.map((shape) =>
    (counts.get(shape.kind) ?? 0) > 1 && shape.label !== undefined ? shape : { ...shape, label: name },
  );
  return { ...normal, shapes };
}

function intersectAll(a: Normal, b: Normal): Normal {
  if (a === ANY) return b;
  if (b === ANY) return a;
  const shapes = a.shapes.flatMap((one) => b.shapes.flatMap((other) => intersect(one, other) ?? []));
  return {
    null: a.null && b.null,
    shapes: shapes.slice(0, MOST_SHAPES),
    overlaps: [...a.overlaps, ...b.overlaps.filter((one) => !a.overlaps.includes(one))],
    truncated: a.truncated || b.truncated || shapes.length > MOST_SHAPES,
  };
}

/** @param exclusive The schemas of the choices, where a value is to be of exactly one. */
function uniteAll(choices: readonly Normal[], exclusive: readonly Conjunction[] | undefined): Normal {
  const shapes = choices.flatMap((choice) => choice.shapes);
  const nulls = choices.filter((choice) => choice.null).length;
  const inner = choices.flatMap(({ overlaps }) => overlaps);
  return {
    // With two that have it, `oneOf` has it not.
    null: exclusive === undefined ? nulls > 0 : nulls === 1,
    shapes: shapes.slice(0, MOST_SHAPES),
    overlaps: exclusive === undefined || areApart(choices) ? inner : [...inner, exclusive],
    truncated: choices.some(({ truncated }) => truncated) || shapes.length > MOST_SHAPES,
  };
}

function areApart(choices: readonly Normal[]): boolean {
  return choices.every(({ shapes }, index) =>
    choices
      .slice(index + 1)
      .every((other) => shapes.every((one) => other.shapes.every((two) => areDisjoint(one, two)))),
  );
}

function pick(values: readonly unknown[], kind: Shape["kind"]): readonly unknown[] {
  const own = new Map(
    values.filter((value) => kindOf(value) === kind).map((value) => [toCanonical(value), value]),
  );
  return [...own.values()];
}
