import {
  anything,
  type JsonSchema,
  type Schema,
  type SchemaRegistry,
  type Side,
  toJsonSchema,
} from "../../core/schema/index.js";

/** The validator that schemas are added to. */
interface SchemaStore {
  add: (schema: JsonSchema, uri: string) => void;
  prepare: (uris: readonly string[]) => void;
}

/** The schemas of one side of a contract as the validator gets them. */
export interface SideSchemas {
  /** Writes a schema, and adds the schemas that it refers to, unless they were added before. */
  write(schema?: Schema): JsonSchema;
}

/**
 * The validator compiles the schemas that one refers to while it compiles that one. It runs out of stack in a chain of about 300
 * schemas, unless the last ones are compiled before.
 */
const MAX_DEPTH = 100;

/**
 * Creates the writer of one side's schemas. Each schema that another refers to has a URI, which is absolute, so that it is the
 * same from anywhere, and made of a number, because the validator cannot compile just any name that a contract has. A plain
 * name of a component stands behind it, for messages: `contract:S0:Pet`.
 */
export function createSideSchemas(
  registry: SchemaRegistry,
  side: Side,
  { add, prepare }: SchemaStore,
): SideSchemas {
  /** URIs with and without defaults. */
  const uris = [new Map<Schema, string>(), new Map<Schema, string>()] as const;
  const pending: { readonly target: Schema; readonly uri: string; readonly isAlternative: boolean }[] = [];
  const toUri = (reference: string, isAlternative: boolean): string => {
    const target = registry.get(reference);
    const known = uris[isAlternative ? 1 : 0].get(target);
    if (known !== undefined) return known;
    const name = registry.nameOf(reference) ?? "";
    const uri = `contract:S${uris[0].size + uris[1].size}${/^\w+$/.test(name) ? `:${name}` : ""}`;
    uris[isAlternative ? 1 : 0].set(target, uri);
    pending.push({ target, uri, isAlternative });
    return uri;
  };
  const options = {
    registry,
    side,
    absent: "forbidden",
    safeIntegers: true,
    toUri: (reference: string) => toUri(reference, false),
    ...(side === "request" && {
      toAlternativeUri: (reference: string) =>
        toUri(reference, registry.hasDefaults(registry.get(reference))),
    }),
  } as const;
  return {
    write(schema = anything("#")) {
      const written = toJsonSchema(schema, options);
      // One of them may be the first to refer to more, which the loop then reaches.
      const added: string[] = [];
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        const { target, uri, isAlternative } = next;
        add(toJsonSchema(target, { ...options, isAlternative }), uri);
        added.push(uri);
      }
      if (added.length > MAX_DEPTH) prepare(added);
      return written;
    },
  };
}

/** The component that a URI of {@link createSideSchemas} stands for, where it has a plain name. */
export function toComponentName(uri: string): string | undefined {
  return /^contract:S\d+:(?<name>\w+)$/.exec(uri)?.groups?.["name"];
}
