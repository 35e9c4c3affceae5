import { joinPointer } from "tenon/core/document";
import {
  findDiscriminator,
  isAnything,
  type Schema,
  type SchemaRegistry,
  type Side,
} from "tenon/core/schema";
import { type Conjunction, join, toConjunction } from "./conjunction.js";
import { areDisjoint, haveTag, intersect } from "./intersect.js";
import { ANY, readShape, toTypes } from "./read-shape.js";
import { type Normal, NOTHING, type ObjectShape, type Shape } from "./shape.js";
import { simplify } from "./simplify.js";
import { kindOf, toCanonical } from "./values.js";

/** Maximum number of alternatives of a schema after `allOf`, `anyOf` and `oneOf` are multiplied out. */
const MAX_SHAPES = 200;

/** Turns schemas of one contract into their normal form for one side. Caches results. */
export class Normalizer {
  readonly #made = new Map<string, Normal>();
  readonly #ofSchemas = new Map<Schema, Normal>();
  readonly #ofReferences = new Map<string, Normal>();
  readonly #within = new Set<Schema>();

  constructor(
    readonly registry: SchemaRegistry,
    readonly side: Side,
  ) {}

  normalize({ key, parts }: Conjunction): Normal {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const [first = ANY, ...others] = parts.map((part) => this.#ofSchema(part));
    const made =
      others.length === 0 ? first : finish(others.reduce((all, other) => this.#intersect(all, other), first));
    this.#made.set(key, made);
    return made;
  }

  #ofSchema(schema: Schema): Normal {
    if (schema.never === true) return NOTHING;
    const known = this.#ofSchemas.get(schema);
    if (known !== undefined) return known;
    // A schema that consists of itself restricts nothing.
    if (this.#within.has(schema)) return ANY;
    this.#within.add(schema);
    const made = this.#read(schema);
    this.#within.delete(schema);
    this.#ofSchemas.set(schema, made);
    return made;
  }

  #read(schema: Schema): Normal {
    const { reference, ...own } = schema;
    if (reference === undefined) return finish(this.#readKeywords(schema));
    const referred = this.#ofReference(reference);
    return isAnything(own) ? referred : finish(this.#intersect(referred, this.#readKeywords(schema)));
  }

  #ofReference(reference: string): Normal {
    const known = this.#ofReferences.get(reference);
    if (known !== undefined) return known;
    const target = this.registry.get(reference);
    if (this.#within.has(target)) return ANY;
    const normal = this.#ofSchema(target);
    const name = target.reference === undefined ? this.registry.nameOf(reference) : undefined;
    const made = name === undefined ? normal : label(normal, name);
    this.#ofReferences.set(reference, made);
    return made;
  }

  #readKeywords(schema: Schema): Normal {
    let found = this.#readOwn(schema);
    for (const part of schema.allOf ?? []) found = this.#intersect(found, this.#ofSchema(part));
    for (const key of ["oneOf", "anyOf"] as const) {
      const choices = schema[key];
      if (choices === undefined) continue;
      const tags = key === "oneOf" || schema.oneOf === undefined ? this.#readTags(schema) : [];
      const normals = choices.map((choice, index) => this.#readChoice(choice, tags[index]));
      found = this.#intersect(
        found,
        this.#unite(normals, { all: choices.map(toConjunction), isExclusive: key === "oneOf" }),
      );
    }
    return closeUnevaluated(found, schema);
  }

  #readChoice(choice: Schema, tag: Schema | undefined): Normal {
    const read = this.#ofSchema(choice);
    return tag === undefined ? read : finish(this.#intersect(read, this.#ofSchema(tag)));
  }

  /** The discriminator values of each choice, as a schema; undefined where the choice declares them itself. */
  #readTags(schema: Schema): readonly (Schema | undefined)[] {
    const { choices = [], propertyName = "" } = findDiscriminator(schema, this.registry) ?? {};
    return choices.map(({ reference, values, declared }): Schema | undefined => {
      if (declared) return undefined;
      const { pointer } = this.registry.get(reference);
      const property = { pointer: joinPointer(pointer, "properties", propertyName), enum: values };
      const properties = Object.fromEntries([[propertyName, property]]);
      return { pointer, type: ["object"], required: [propertyName], properties };
    });
  }

  #readOwn(schema: Schema): Normal {
    const types = toTypes(schema.type);
    const shapes = types.kinds.map((kind) => {
      const shape = readShape(kind, schema);
      if (shape.kind === "object") return this.#hide(shape);
      return shape.kind === "number" && types.integer ? { ...shape, integer: true } : shape;
    });
    const { enum: values } = schema;
    const isNull = types.null && this.#allowsNull(schema);
    if (values === undefined) return { ...NOTHING, null: isNull, shapes };
    return {
      ...NOTHING,
      null: values.includes(null) && isNull,
      shapes: shapes.map((shape) => ({ ...shape, values: pick(values, shape.kind) })),
    };
  }

  /** Tests whether `not` and `if` allow null, which is a single value. */
  #allowsNull({ not, if: condition, then, else: otherwise }: Schema): boolean {
    const isNull = (schema: Schema | undefined) => schema === undefined || this.#ofSchema(schema).null;
    if (not !== undefined && isNull(not)) return false;
    return condition === undefined || isNull(isNull(condition) ? then : otherwise);
  }

  /** Removes the properties that this side never has. */
  #hide(shape: ObjectShape): ObjectShape {
    const names = [...shape.properties]
      .filter(([, { parts }]) => parts.some((part) => this.registry.isAbsent(part, this.side)))
      .map(([name]) => name);
    if (names.length === 0) return shape;
    const properties = new Map(shape.properties);
    const required = new Set(shape.required);
    for (const name of names) {
      properties.delete(name);
      required.delete(name);
    }
    const keyword = this.side === "request" ? "readOnly" : "writeOnly";
    return { ...shape, properties, required, hidden: new Map(names.map((name) => [name, keyword])) };
  }

  #intersect(a: Normal, b: Normal): Normal {
    if (a === ANY) return b;
    if (b === ANY) return a;
    const shapes: Shape[] = [];
    // Shapes beyond the limit are never used.
    for (const one of a.shapes)
      for (const other of b.shapes) {
        const both = shapes.length > MAX_SHAPES ? undefined : intersect(one, other, this.registry);
        if (both !== undefined) shapes.push(both);
      }
    return {
      null: a.null && b.null,
      shapes: shapes.slice(0, MAX_SHAPES),
      overlaps: [...a.overlaps, ...b.overlaps.filter((one) => !a.overlaps.includes(one))],
      truncated: a.truncated || b.truncated || shapes.length > MAX_SHAPES,
    };
  }

  #unite(choices: readonly Normal[], { all, isExclusive }: Union): Normal {
    const shapes = choices.flatMap((choice) => choice.shapes);
    const nulls = choices.filter((choice) => choice.null).length;
    const inner = choices.flatMap(({ overlaps }) => overlaps);
    // Another choice of an `anyOf` can allow what a `oneOf` in it excludes.
    const joined = isExclusive ? [...inner, all] : inner.length > 0 ? [all] : [];
    return {
      null: isExclusive ? nulls === 1 : nulls > 0,
      shapes: shapes.slice(0, MAX_SHAPES),
      overlaps: this.#areApart(choices) ? inner : joined,
      truncated: choices.some(({ truncated }) => truncated) || shapes.length > MAX_SHAPES,
    };
  }

  #areApart(choices: readonly Normal[]): boolean {
    const { registry } = this;
    // Most unions have a tag. Comparing each choice with each takes long for thousands of them.
    if (
      haveTag(
        choices.flatMap(({ shapes }) => shapes),
        registry,
      )
    )
      return true;
    return choices.every(({ shapes }, index) =>
      choices
        .slice(index + 1)
        .every((other) =>
          shapes.every((one) => other.shapes.every((two) => areDisjoint(one, two, registry))),
        ),
    );
  }
}

/** Applies `unevaluatedProperties` to the properties that no part of a schema describes. */
function closeUnevaluated(normal: Normal, { unevaluatedProperties }: Schema): Normal {
  if (unevaluatedProperties === undefined) return normal;
  const others = toConjunction(unevaluatedProperties);
  const shapes = normal.shapes.map((shape) =>
    shape.kind === "object" ? { ...shape, rest: join(shape.rest, others) } : shape,
  );
  return { ...normal, shapes };
}

function finish(normal: Normal): Normal {
  return { ...normal, shapes: simplify(normal.shapes) };
}

/** Labels shapes with the name of their component; parts of a union keep their own labels. */
function label(normal: Normal, name: string): Normal {
  const counts = new Map<string, number>();
  for (const { kind } of normal.shapes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const shapes = normal.shapes.map((shape) =>
    (counts.get(shape.kind) ?? 0) > 1 && shape.label !== undefined ? shape : { ...shape, label: name },
  );
  return { ...normal, shapes };
}

interface Union {
  /** The schemas of the choices. */
  readonly all: readonly Conjunction[];
  /** `oneOf` excludes what two choices allow. */
  readonly isExclusive: boolean;
}

function pick(values: readonly unknown[], kind: Shape["kind"]): readonly unknown[] {
  const own = new Map(
    values.filter((value) => kindOf(value) === kind).map((value) => [toCanonical(value), value]),
  );
  return [...own.values()];
}
