import type { Contract } from "tenon/core/model";
import { createNames, type Names } from "../server/names.js";
import { emitRules } from "./rules.js";
import { listReferences, putsDefaults } from "./defaults.js";
import type { Variant, Variants } from "./variants.js";
import type { JsonSchema } from "tenon/core/schema";

/** The named schemas of a file, and how they refer to each other. */
export interface Graph {
  /** Names of the components' types and validators. */
  readonly names: Names;
  /** References of the components whose forms in requests and responses differ. */
  readonly split: ReadonlySet<string>;
  /** All variants but equal ones, each with its name. */
  readonly named: ReadonlyMap<Variant, string>;
  /**
   * Emits the keywords of a schema.
   * @param before Number of characters in the line before them.
   */
  emit(schema: JsonSchema, before?: number): string;
  /** Tests whether a default can be put into a value of a schema. */
  hasDefaults(schema: JsonSchema): boolean;
}

/** Names the variants of a contract's schemas, of which all are known. */
export function createGraph({ schemas }: Contract, variants: Variants): Graph {
  const used = variants.listUsed();
  const isSplit = (reference: string) => variants.get(reference, "request").form === "request";
  const split = new Set(schemas.map(({ reference }) => reference).filter(isSplit));
  const names = createNames(schemas, [], { split, alternatives: new Set() });
  const named = new Map<Variant, string>();
  for (const { reference } of schemas)
    for (const form of ["response", "request"] as const)
      named.set(variants.get(reference, form), names.schema(reference, form));
  for (const variant of used) if (!named.has(variant)) named.set(variant, `schema${named.size + 1}`);

  const circular = findCircular(used, variants);
  const defaulted = findReaching(used, variants, ({ schema }) => putsDefaults(schema));
  return {
    ...{ names, split, named },
    emit(schema, before) {
      const emitReference = (uri: string) => {
        const variant = variants.find(uri);
        return `s.${circular.has(variant) ? "recursive" : "ref"}(${named.get(variant) ?? ""})`;
      };
      return emitRules(schema, emitReference, before);
    },
    hasDefaults: (schema) =>
      putsDefaults(schema) || listReferences(schema).some((uri) => defaulted.has(variants.find(uri))),
  };
}

/** Finds the variants that have a property, or refer to one that has it, directly or through others. */
function findReaching(
  all: readonly Variant[],
  variants: Variants,
  has: (variant: Variant) => boolean,
): ReadonlySet<Variant> {
  const users = new Map<Variant, Variant[]>();
  for (const variant of all)
    for (const reference of variants.listReferences(variant))
      users.set(reference, [...(users.get(reference) ?? []), variant]);
  const found = new Set(all.filter(has));
  for (const variant of found) for (const user of users.get(variant) ?? []) found.add(user);
  return found;
}

/** Finds the variants that refer to themselves, directly or through others. */
function findCircular(all: readonly Variant[], variants: Variants): ReadonlySet<Variant> {
  const reaches = (from: Variant): boolean => {
    const seen = new Set<Variant>();
    const pending = [...variants.listReferences(from)];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next === from) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(...variants.listReferences(next));
    }
    return false;
  };
  return new Set(all.filter(reaches));
}
