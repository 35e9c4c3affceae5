import { type Lasting, type Lifecycle, rankStability, STABLE } from "tenon/core/document";
import type { Schema, SchemaRegistry } from "tenon/core/schema";
import type { Sides } from "../../sides.js";
import { compareLifecycles } from "../../lifecycle-changes.js";
import type { Conjunction } from "../normal-form/conjunction.js";
import { toCanonical } from "../normal-form/values.js";
import type { Difference, Place } from "./difference.js";

/** The default, lifecycle and `x-extensible-enum` of a schema. */
export interface Annotations extends Lasting {
  readonly lifecycle: Lifecycle;
  /** Undefined: no default. */
  readonly default?: { readonly value: unknown; readonly pointer: string };
  /** Undefined: no `x-extensible-enum`. */
  readonly known?: { readonly values: readonly unknown[]; readonly pointer: string };
  /** The values of `enum`. Undefined: none. */
  readonly values?: readonly unknown[] | undefined;
}

/** Reads the annotations of schemas that all hold: their own first, then those of references and `allOf`. */
export function readAnnotations({ parts }: Conjunction, registry: SchemaRegistry): Annotations {
  const schemas = new Set<Schema>();
  for (const part of parts) {
    registry.parts(part, schemas);
    const written = findAuthorSchema(part);
    if (written) registry.parts(written, schemas);
  }
  const all = [...schemas];
  const defaulted = all.find((schema) => schema.default !== undefined);
  const extensible = all.find((schema) => schema.extensibleEnum !== undefined);
  return {
    lifecycle: joinLifecycles(all.flatMap(({ lifecycle }) => lifecycle ?? [])),
    values: all.find((schema) => schema.enum !== undefined)?.enum,
    lifecycleFields: Object.assign({}, ...all.map((schema) => schema.lifecycleFields).reverse()) as object,
    ...(defaulted && {
      default: { value: defaulted.default, pointer: `${defaulted.pointer}/default` },
    }),
    ...(extensible?.extensibleEnum && {
      known: { values: extensible.extensibleEnum, pointer: `${extensible.pointer}/x-extensible-enum` },
    }),
  };
}

/** Finds the author's schema where the core added null as an alternative. */
function findAuthorSchema({ pointer, anyOf }: Schema): Schema | undefined {
  return anyOf?.find((choice) => choice.pointer === pointer);
}

/** Combines lifecycles: the first deprecation, and the lowest stability. */
function joinLifecycles(lifecycles: readonly Lifecycle[]): Lifecycle {
  const [first = STABLE] = lifecycles;
  const { stability } = lifecycles.reduce(
    (least, one) => (rankStability(one.stability) < rankStability(least.stability) ? one : least),
    first,
  );
  return { ...(lifecycles.find(({ deprecated }) => deprecated) ?? STABLE), stability };
}

/** Compares defaults, lifecycles and `x-extensible-enum`. */
export function compareAnnotations(
  before: Annotations,
  after: Annotations,
  places: Sides<Place>,
): readonly Difference[] {
  return [
    ...compareDefaults(before.default, after.default, places),
    ...compareKnown(before, after, places),
    ...compareLifecycles(before, after).map((change): Difference => {
      const { name, before: old, after: current, subject } = change;
      return {
        name: `schema-${name}`,
        lifecycle: { change, revision: after },
        before: old,
        after: current,
        ...(subject && { subject }),
        ...places,
      };
    }),
  ];
}

function compareDefaults(
  before: Annotations["default"],
  after: Annotations["default"],
  places: Sides<Place>,
): readonly Difference[] {
  if (before !== undefined && after !== undefined && toCanonical(before.value) === toCanonical(after.value))
    return [];
  const at = {
    before: before?.value,
    after: after?.value,
    base: before ? () => before.pointer : places.base,
    revision: after ? () => after.pointer : places.revision,
  };
  if (before !== undefined) return [{ name: after ? "default-changed" : "default-removed", ...at }];
  return after === undefined ? [] : [{ name: "default-added", ...at }];
}

/** Compares the known values of `x-extensible-enum`. The order makes no difference. */
function compareKnown(
  { known: before, values }: Annotations,
  { known: after }: Annotations,
  places: Sides<Place>,
): readonly Difference[] {
  const at = {
    base: before ? () => before.pointer : places.base,
    revision: after ? () => after.pointer : places.revision,
  };
  const without = (some: readonly unknown[], others: readonly unknown[]) => {
    const known = new Set(others.map(toCanonical));
    return some.filter((value) => !known.has(toCanonical(value)));
  };
  if (before === undefined) {
    if (after === undefined) return [];
    const isKnown = values !== undefined && without(values, after.values).length === 0;
    const levels = isKnown ? { levels: { request: "safe" } as const } : {};
    return [{ name: "extensible-enum-added", after: after.values, ...levels, ...at }];
  }
  if (after === undefined) return [{ name: "extensible-enum-removed", before: before.values, ...at }];
  return [
    ...without(before.values, after.values).map((value): Difference => ({
      name: "extensible-enum-value-removed",
      before: value,
      ...at,
    })),
    ...without(after.values, before.values).map((value): Difference => ({
      name: "extensible-enum-value-added",
      after: value,
      ...at,
    })),
  ];
}
