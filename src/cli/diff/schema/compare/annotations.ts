import { type Lifecycle, rankStability, STABLE } from "tenon/core/document";
import type { Schema, SchemaRegistry } from "tenon/core/schema";
import type { Sides } from "../../sides.js";
import { compareLifecycles } from "../../lifecycle-changes.js";
import { type Conjunction, toCanonical } from "../normal-form/index.js";
import type { Difference, Place } from "./difference.js";

/** The default and lifecycle of a schema. */
export interface Annotations {
  readonly lifecycle: Lifecycle;
  /** Undefined: no default. */
  readonly default?: { readonly value: unknown; readonly pointer: string };
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
  return {
    lifecycle: joinLifecycles(all.flatMap(({ lifecycle }) => lifecycle ?? [])),
    ...(defaulted && {
      default: { value: defaulted.default, pointer: `${defaulted.pointer}/default` },
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

/** Compares defaults and lifecycles. */
export function compareAnnotations(
  before: Annotations,
  after: Annotations,
  places: Sides<Place>,
): readonly Difference[] {
  const differences: Difference[] = [];
  const [old, current] = [before.default, after.default];
  if (old !== undefined || current !== undefined) {
    const at = {
      before: old?.value,
      after: current?.value,
      base: old ? () => old.pointer : places.base,
      revision: current ? () => current.pointer : places.revision,
    };
    if (old === undefined) differences.push({ name: "default-added", effect: "none", ...at });
    else if (current === undefined) differences.push({ name: "default-removed", effect: "none", ...at });
    else if (toCanonical(old.value) !== toCanonical(current.value))
      differences.push({ name: "default-changed", effect: "none", ...at });
  }
  for (const { name, ...values } of compareLifecycles(before.lifecycle, after.lifecycle)) {
    differences.push({
      name: `schema-${name}`,
      effect: "none",
      lifecycle: after.lifecycle,
      ...values,
      ...places,
    });
  }
  return differences;
}
