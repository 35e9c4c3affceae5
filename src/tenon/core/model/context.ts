import type { ContractProblemCode } from "../document/contract-error.js";
import { getMember, getMembers, type Located } from "../document/node.js";
import type { Source } from "../document/source.js";
import type { SchemaRegistry } from "../schema/registry.js";
import { anything, type Schema } from "../schema/schema.js";

/** Reports a problem with the node at `pointer`. */
export type Report = (code: ContractProblemCode, pointer: string, message: string, hint?: string) => void;

/** The context in which the parts of a model are built. */
export interface BuildContext {
  readonly source: Source;
  readonly registry: SchemaRegistry;
  readonly report: Report;
}

/** Returns the schema at `key` of a node; a missing schema allows anything. */
export function readSchema(owner: Located, key: string, { registry }: BuildContext): Schema {
  return registry.read(owner, key) ?? anything(`${owner.pointer}/${key}`);
}

/** Follows references, and reports one whose target does not exist. */
export function resolve(start: Located, { source, report }: BuildContext): Located | undefined {
  const found = source.resolve(start);
  if (found === undefined) {
    const reference = String(start.node["$ref"]);
    report("reference-unresolved", start.pointer, `Cannot resolve $ref "${reference}"`);
  }
  return found;
}

/** Returns the member of a node, with its references followed. */
export function resolveMember(owner: Located, key: string, context: BuildContext): Located | undefined {
  const member = getMember(owner, key);
  return member && resolve(member, context);
}

/** A media type with its references followed. */
export interface LocatedMediaType extends Located {
  readonly name: string;
  /** Pointer of its key in `content`. */
  readonly declaredAt: string;
}

/** Lists the media types of `content`; in OpenAPI 3.2, they may be references to components. */
export function getContent(owner: Located, context: BuildContext): readonly LocatedMediaType[] {
  return getMembers(owner, "content").flatMap(({ name, ...reference }) => {
    const mediaType = resolve(reference, context);
    return mediaType === undefined ? [] : [{ ...mediaType, name, declaredAt: reference.pointer }];
  });
}

/** Creates an object whose members are computed when they are first read: an API may have a thousand operations and use one. */
export function lazily<Members extends object>(members: {
  readonly [Key in keyof Members]: () => Members[Key];
}): Members {
  const made = {};
  for (const key of Object.keys(members) as (keyof Members & string)[]) {
    Object.defineProperty(made, key, {
      enumerable: true,
      configurable: true,
      get() {
        const value = members[key]();
        Object.defineProperty(made, key, { enumerable: true, value });
        return value;
      },
    });
  }
  return made as Members;
}
