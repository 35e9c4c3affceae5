import { joinPointer } from "tenon/core/document/pointer";
import { isBase } from "tenon/core/legacy/hierarchy";
import type { NamedSchema, Operation } from "tenon/core/legacy/model";
import { assertIdentifier } from "tenon/core/model/names";
import type { View, Views } from "./views.js";

/** Types that server.ts imports, declares itself or takes from TypeScript: no type of the contract may hide them. */
const TAKEN = [
  "Accepts",
  "ApiOptions",
  "ContractRouter",
  "ErrorOptions",
  "FailureOptions",
  "FormFile",
  "Handlers",
  "MakeErrorBody",
  "Object",
  "OperationDescriptor",
  "OperationId",
  "PartialApiOptions",
  "Principals",
  "Promise",
  "RawReplies",
  "Readable",
  "Reply",
  "ReplyOptions",
  "Uint8Array",
  "Webhooks",
];

/** A type that could not have the name that it was to have. */
export interface Renamed {
  /** Of the schema or operation that it is the type of, in the bundled document. */
  readonly pointer: string;
  readonly message: string;
}

/** The names of the types of a server.ts. */
export interface Names {
  readonly renamed: readonly Renamed[];
  schema(name: string, view: View): string;
  request(operation: Operation): string;
  replies(operation: Operation): string;
  callbacks(operation: Operation): string;
}

/**
 * Gives every type a name of its own. A schema is called what the contract calls it, and comes first; what is named after
 * something gets a trailing `_` where the contract uses the name too: `CreatePetRequest_` beside a schema `CreatePetRequest`.
 */
export function createNames(
  schemas: readonly NamedSchema[],
  operations: readonly Operation[],
  { split }: Views,
): Names {
  const taken = new Set(TAKEN);
  const names = new Map<string, string>();
  const renamed: Renamed[] = [];
  const add = (key: string, wanted: string, owner: { readonly what: string; readonly pointer: string }) => {
    let name = assertIdentifier(wanted);
    while (taken.has(name)) name += "_";
    taken.add(name);
    names.set(key, name);
    if (name === wanted) return;
    const message = `A type of ${owner.what} is ${name}, because something else is called ${wanted} already`;
    renamed.push({ pointer: owner.pointer, message });
  };
  const get = (key: string): string => {
    const name = names.get(key);
    if (name === undefined) throw new Error(`No type was declared for ${key}`);
    return name;
  };

  for (const schema of schemas) add(`response ${schema.name}`, schema.typeName, toOwner(schema));
  for (const schema of schemas) {
    if (split.has(schema.name)) add(`request ${schema.name}`, `${schema.typeName}Request`, toOwner(schema));
  }
  for (const { id, typeName, method, path, callbacks } of operations) {
    const owner = { what: `operation "${id}"`, pointer: joinPointer("#/paths", path, method) };
    add(`Request ${id}`, `${typeName}Request`, owner);
    add(`Replies ${id}`, `${typeName}Replies`, owner);
    if (callbacks.length > 0) add(`Callbacks ${id}`, `${typeName}Callbacks`, owner);
  }
  return {
    renamed,
    schema: (name, view) => get(`${split.has(name) ? view : "response"} ${name}`),
    request: ({ id }) => get(`Request ${id}`),
    replies: ({ id }) => get(`Replies ${id}`),
    callbacks: ({ id }) => get(`Callbacks ${id}`),
  };
}

/** The base of a hierarchy has no place of its own: it is a part of the schema that it was made from. */
function toOwner({ name }: NamedSchema): { readonly what: string; readonly pointer: string } {
  const declared = isBase(name) ? name.slice(0, name.lastIndexOf(" ")) : name;
  return { what: `schema "${declared}"`, pointer: joinPointer("#/components/schemas", declared) };
}

/** The same names, and a list of every one that is asked for from now on: what a file has to import. */
export function recordNames(names: Names): { readonly names: Names; readonly used: ReadonlySet<string> } {
  const used = new Set<string>();
  const record = (name: string): string => {
    used.add(name);
    return name;
  };
  return {
    used,
    names: {
      renamed: names.renamed,
      schema: (name, view) => record(names.schema(name, view)),
      request: (operation) => record(names.request(operation)),
      replies: (operation) => record(names.replies(operation)),
      callbacks: (operation) => record(names.callbacks(operation)),
    },
  };
}
