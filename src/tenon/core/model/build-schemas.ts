import { isNode } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import { SCHEMAS, type SchemaRegistry } from "../schema/registry.js";
import { listChildren, type Schema } from "../schema/schema.js";
import { toComponentReference } from "../document/references.js";
import type { BuildContext, Report } from "./context.js";
import type { NamedSchema } from "./contract.js";
import { toTypeName, UniqueNames } from "./names.js";

/** Builds the schema components and names their types. Each schema is read at its first use. */
export function buildSchemas({
  registry,
  report,
}: Pick<BuildContext, "registry" | "report">): readonly NamedSchema[] {
  const typeNames = nameTypes(registry, (name, typeName, owner) => {
    const message = `The type of schema "${name}" is ${typeName}, because "${owner}" already has that name`;
    report("name-changed", joinPointer(SCHEMAS, name), message, "Rename one of them");
  });
  return registry.names.map((name) => ({
    name,
    typeName: typeNames.get(name) ?? "",
    reference: toComponentReference(name),
    get schema() {
      return registry.component(name);
    },
  }));
}

/** Assigns type names: first to the author's components, then to those added for the base of a hierarchy. */
function nameTypes(
  registry: SchemaRegistry,
  onClash: (name: string, typeName: string, owner: string) => void,
): ReadonlyMap<string, string> {
  const names = new UniqueNames();
  const owners = new Map<string, string>();
  const typeNames = new Map<string, string>();
  const [declared = [], made = []] = [false, true].map((is) =>
    registry.names.filter((name) => registry.isMade(name) === is),
  );
  for (const name of [...declared, ...made]) {
    const wanted = toTypeName(name);
    const owner = owners.get(wanted);
    const typeName = names.add(wanted);
    if (owner !== undefined && !registry.isMade(name)) onClash(name, typeName, owner);
    owners.set(typeName, name);
    typeNames.set(name, typeName);
  }
  return typeNames;
}

/**
 * Reports schemas that cannot be expressed as a type or a validator.
 * @param roots The components, and the schemas of operations.
 */
export function reportSchemas(roots: Iterable<Schema>, { registry, source, report }: BuildContext): void {
  reportCircles(registry, report);
  const seen = new Set<Schema>();
  const visit = (schema: Schema, inlining: readonly string[]): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const { reference } = schema;
    // The target of a reference into a component has no type name, so the type is repeated at each use.
    if (reference !== undefined && registry.nameOf(reference) === undefined) {
      if (inlining.includes(reference)) {
        const hint = "Move the schema to components/schemas and refer to it there";
        const message = `The target of $ref "${reference}" contains itself and is not a component`;
        report("schema-circular", schema.pointer, message, hint);
        return;
      }
      visit(registry.get(reference), [...inlining, reference]);
    }
    for (const { schema: child } of listChildren(schema)) visit(child, inlining);
  };
  for (const root of roots) visit(root, []);
  for (const schema of seen) {
    reportKeywords(schema, source, report);
    reportDefaultMapping(schema, registry, report);
  }
}

/** A `$dynamicRef` with a certain target has become a `$ref` before, see `resolveDynamicReferences`. */
const UNSUPPORTED = {
  $dynamicRef: [
    "The target of $dynamicRef is uncertain: no schema, or several unrelated ones, have its $dynamicAnchor",
    "Use $ref, or add the $dynamicAnchor to this schema or a schema that refers to it",
  ],
  $recursiveRef: ["$recursiveRef is not part of JSON Schema 2020-12", "Use $dynamicRef"],
} as const;

function reportKeywords(schema: Schema, source: BuildContext["source"], report: Report): void {
  const { pointer, dynamicReference } = schema;
  const node = dynamicReference === undefined ? undefined : source.lookUp(pointer)?.node;
  if (!isNode(node)) return;
  for (const key of (["$dynamicRef", "$recursiveRef"] as const).filter((name) => name in node)) {
    const [message, hint] = UNSUPPORTED[key];
    report("schema-unsupported", joinPointer(pointer, key), message, hint);
  }
}

function reportDefaultMapping(
  { discriminator, oneOf, anyOf = [], pointer }: Schema,
  registry: SchemaRegistry,
  report: Report,
): void {
  const target = discriminator?.defaultMapping;
  if (target === undefined || (oneOf ?? anyOf).some(({ reference }) => reference === target)) return;
  const name = registry.nameOf(target) ?? target;
  const message = `\`defaultMapping\` is ignored: "${name}" is not one of the alternatives`;
  const hint = "Add it to the alternatives, or name one of them";
  report("mapping-ignored", joinPointer(pointer, "discriminator", "defaultMapping"), message, hint);
}

/**
 * Reports schemas that consist of themselves, such as `A: { anyOf: [{ $ref: A }, …] }`. They do not describe any value, and
 * TypeScript rejects them as circular type aliases. Circular references through a property or the items of an array are valid.
 */
function reportCircles(registry: SchemaRegistry, report: Report): void {
  for (const name of registry.names) {
    const reached = new Set<string>();
    const pending = constituents(registry.component(name));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(...constituents(registry.get(next)));
    }
    if (reached.has(toComponentReference(name))) {
      const message = `Schema "${name}" refers to itself with no object or array in between`;
      report("schema-circular", joinPointer(SCHEMAS, name), message);
    }
  }
}

/** Lists the references in a schema whose targets apply to the same value. */
function constituents({ reference, ...schema }: Schema): string[] {
  const { allOf = [], oneOf = [], anyOf = [], dependentSchemas = {}, not, if: condition } = schema;
  const single = [not, condition, schema.then, schema.else].filter((part) => part !== undefined);
  const parts = [...allOf, ...oneOf, ...anyOf, ...single, ...Object.values(dependentSchemas)];
  return [...(reference === undefined ? [] : [reference]), ...parts.flatMap(constituents)];
}
