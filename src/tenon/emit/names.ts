import type { NamedSchema, Operation } from "../contract/model.js";
import { assertIdentifier } from "../contract/identifier.js";
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

/** The names of the types of a server.ts. */
export interface Names {
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
  const add = (key: string, wanted: string) => {
    let name = assertIdentifier(wanted);
    while (taken.has(name)) name += "_";
    taken.add(name);
    names.set(key, name);
  };
  const get = (key: string): string => {
    const name = names.get(key);
    if (name === undefined) throw new Error(`No type was declared for ${key}`);
    return name;
  };

  for (const { name, typeName } of schemas) add(`response ${name}`, typeName);
  for (const { name, typeName } of schemas) {
    if (split.has(name)) add(`request ${name}`, `${typeName}Request`);
  }
  for (const { id, typeName, callbacks } of operations) {
    add(`Request ${id}`, `${typeName}Request`);
    add(`Replies ${id}`, `${typeName}Replies`);
    if (callbacks.length > 0) add(`Callbacks ${id}`, `${typeName}Callbacks`);
  }
  return {
    schema: (name, view) => get(`${split.has(name) ? view : "response"} ${name}`),
    request: ({ id }) => get(`Request ${id}`),
    replies: ({ id }) => get(`Replies ${id}`),
    callbacks: ({ id }) => get(`Callbacks ${id}`),
  };
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
      schema: (name, view) => record(names.schema(name, view)),
      request: (operation) => record(names.request(operation)),
      replies: (operation) => record(names.replies(operation)),
      callbacks: (operation) => record(names.callbacks(operation)),
    },
  };
}
