import { isDeepStrictEqual } from "node:util";
import { isNever } from "./conjunction.js";
import { ANY } from "./read-shape.js";
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
  const { minimum, maximum } = shape;
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
  return { ...shape, integer, multiples, minimum: low, maximum: high };
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

/** Members of a shape that do not limit its values. */
const NO_LIMITS = { sources: [], label: undefined, values: undefined };
const WHOLE_KINDS = ANY.shapes.map((shape) => ({ ...shape, ...NO_LIMITS }));

/** Tests whether a shape allows every value of its kind. */
export function isWholeKind(shape: Shape): boolean {
  if (shape.values !== undefined) return false;
  return WHOLE_KINDS.some((whole) => isDeepStrictEqual(whole, { ...shape, ...NO_LIMITS }));
}
