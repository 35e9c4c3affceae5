import { isNever } from "./conjunction.js";
import {
  type ArrayShape,
  type Bound,
  type Kind,
  KINDS,
  type NumberShape,
  type ObjectShape,
  type Shape,
} from "./shape.js";
import { accepts, isMultiple, toCanonical } from "./values.js";

/**
 * Rewrites shapes so that equal sets of values look equal: an integer `multipleOf` makes a number an integer, finite alternatives
 * of a kind are merged, and shapes without values are removed.
 */
export function simplify(shapes: readonly Shape[]): readonly Shape[] {
  const simple = shapes.map(simplifyShape).filter((shape) => shape !== undefined);
  return KINDS.flatMap((kind) =>
    absorb(
      uniteFinite(
        simple.filter((shape) => shape.kind === kind),
        kind,
      ),
    ),
  );
}

function simplifyShape(shape: Shape): Shape | undefined {
  const { kind, values } = shape;
  const unlimited: Shape = { ...shape, values: undefined };
  const narrowed = values?.filter((value) => accepts(unlimited, value));
  if (narrowed?.length === 0) return undefined;
  const own = narrowed === undefined ? shape : { ...shape, values: narrowed };
  if (kind === "boolean" && narrowed?.length === 2) return unlimited;
  if (own.kind === "number") return simplifyNumber(own);
  if (own.kind === "string") return own.minLength > own.maxLength ? undefined : own;
  if (own.kind === "array") return simplifyArray(own);
  return own.kind === "object" ? simplifyObject(own) : own;
}

function simplifyNumber(shape: NumberShape): NumberShape | undefined {
  const whole = shape.multiples.some((step) => Number.isInteger(step));
  const integer = shape.integer || whole;
  const { minimum, maximum, ...rest } = shape;
  const multiples = shape.multiples.filter(
    (step, index, all) =>
      !(integer && isMultiple(1, step)) &&
      !all.some((other, at) => at !== index && other !== step && isMultiple(other, step)),
  );
  const low = integer ? toWhole(minimum, Math.ceil, 1) : minimum;
  const high = integer ? toWhole(maximum, Math.floor, -1) : maximum;
  if (
    low &&
    high &&
    (low.value > high.value || (low.value === high.value && (low.exclusive || high.exclusive)))
  )
    return undefined;
  return { ...rest, integer, multiples, ...(low && { minimum: low }), ...(high && { maximum: high }) };
}

/** Rounds a bound of integers: above 1.5, and above an exclusive 1, is from 2. */
function toWhole(
  bound: Bound | undefined,
  round: (value: number) => number,
  inward: 1 | -1,
): Bound | undefined {
  if (bound === undefined) return undefined;
  const value = round(bound.value);
  return { value: bound.exclusive && value === bound.value ? value + inward : value, exclusive: false };
}

function simplifyArray(shape: ArrayShape): ArrayShape | undefined {
  const { prefix, rest, minItems } = shape;
  const closedAt = prefix.findIndex(isNever);
  const longest = closedAt >= 0 ? closedAt : isNever(rest) ? prefix.length : Infinity;
  const maxItems = Math.min(shape.maxItems, longest);
  if (minItems > maxItems) return undefined;
  const kept = prefix.slice(0, maxItems);
  while (kept.length > 0 && kept.at(-1)?.key === rest.key) kept.pop();
  return { ...shape, maxItems, prefix: kept };
}

function simplifyObject(shape: ObjectShape): ObjectShape | undefined {
  const { properties, required, rest, patterns } = shape;
  for (const name of required) {
    const schema = properties.get(name);
    if (schema !== undefined && isNever(schema)) return undefined;
  }
  // In a closed object a forbidden property is the same as an undeclared one.
  const kept = [...properties].filter(
    ([, schema]) => !(isNever(schema) && isNever(rest) && patterns.size === 0),
  );
  const minProperties = shape.minProperties <= required.size ? 0 : shape.minProperties;
  return { ...shape, minProperties, ...(kept.length < properties.size && { properties: new Map(kept) }) };
}

/** `anyOf: [{ const: a }, { const: b }]` has the values that `enum: [a, b]` has. */
function uniteFinite(shapes: readonly Shape[], kind: Kind): readonly Shape[] {
  const finite = shapes.filter(({ values, opaque }) => values !== undefined && opaque.length === 0);
  const [first] = finite;
  if (first === undefined || finite.length < 2 || kind === "object" || kind === "array") return shapes;
  const values = new Map(
    finite.flatMap(({ values: own = [] }) => own.map((value) => [toCanonical(value), value])),
  );
  const sources = finite.flatMap((shape) => shape.sources);
  const united = { ...first, sources, values: [...values.values()], opaque: [] } as Shape;
  return [united, ...shapes.filter((shape) => !finite.includes(shape))];
}

/** An unrestricted shape contains all others of its kind. */
function absorb(shapes: readonly Shape[]): readonly Shape[] {
  if (shapes.length < 2) return shapes;
  const all = shapes.find(isWholeKind);
  return all === undefined ? shapes : [all];
}

export function isWholeKind(shape: Shape): boolean {
  if (shape.values !== undefined || shape.opaque.length > 0) return false;
  switch (shape.kind) {
    case "boolean":
      return true;
    case "number":
      return !shape.integer && !shape.minimum && !shape.maximum && isEmpty(shape.multiples, shape.formats);
    case "string":
      return shape.minLength === 0 && shape.maxLength === Infinity && isEmpty(shape.patterns, shape.formats);
    case "array":
      return (
        shape.minItems === 0 &&
        shape.maxItems === Infinity &&
        !shape.unique &&
        shape.prefix.length === 0 &&
        shape.rest.key === ""
      );
    case "object":
      return (
        shape.properties.size + shape.hidden.size + shape.required.size + shape.patterns.size === 0 &&
        shape.rest.key === "" &&
        shape.minProperties === 0 &&
        shape.maxProperties === Infinity
      );
  }
}

function isEmpty(...lists: readonly (readonly unknown[])[]): boolean {
  return lists.every(({ length }) => length === 0);
}
