import { parsePointer } from "tenon/core/document";
import { assertIdentifier, type NamedSchema, type Operation, UniqueNames } from "tenon/core/model";
import { hasItems } from "./media-type-types.js";
import type { EmitProblem } from "../text.js";
import type { View, Views } from "./views.js";

/** Types that server.ts imports, declares or uses from TypeScript; a type of the contract must not shadow them. */
const TAKEN = [
  "Accepts",
  "ApiOptions",
  "AsyncIterable",
  "ByteSource",
  "Callbacks",
  "ContractRouter",
  "ErrorOptions",
  "FailureOptions",
  "FormFile",
  "Handlers",
  "ItemSource",
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
  "WebhookContract",
  "Webhooks",
];

/** The names of the types of a server.ts. */
export interface Names {
  /** Types that are used and whose names were already taken. */
  readonly listRenamed: () => readonly EmitProblem[];
  /** @param reference Reference of a component. */
  schema(reference: string, view: View): string;
  /** Tests whether the type of requests of a component was used. */
  isReceived(reference: string): boolean;
  request(operation: Operation): string;
  replies(operation: Operation): string;
  /** @param operation Has a stream of items as a response. */
  item(operation: Operation): string;
  callbacks(operation: Operation): string;
  /** Returns the same names, which are added to a set when they are used: a file has to import them. */
  record(used: Set<string>): Names;
}

/**
 * Assigns a unique name to every type. Schemas come first and keep their names, but `Error` becomes `ErrorBody`. A derived name gets a trailing `_` if a schema has
 * the same name: `CreatePetRequest_` beside a schema `CreatePetRequest`.
 */
export function createNames(
  schemas: readonly NamedSchema[],
  operations: readonly Operation[],
  { split }: Views,
): Names {
  const taken = new UniqueNames(TAKEN);
  const names = new Map<string, string>();
  const renamed = new Map<string, EmitProblem>();
  const used = new Set<string>();
  const add = (key: string, wanted: string, owner: { readonly what: string; readonly pointer: string }) => {
    const name = taken.add(assertIdentifier(wanted));
    names.set(key, name);
    if (name === wanted) return;
    const message = `A type of ${owner.what} is ${name}, because the name ${wanted} is already used`;
    renamed.set(name, { pointer: owner.pointer, message });
  };

  const isTaken = (name: string) => schemas.some(({ typeName }) => typeName === name);
  // An imported type `Error` hides JavaScript's class.
  const toName = ({ typeName }: NamedSchema) =>
    typeName === "Error" && !isTaken("ErrorBody") ? "ErrorBody" : typeName;
  for (const schema of schemas) add(`response ${schema.reference}`, toName(schema), toOwner(schema));
  for (const schema of schemas) {
    if (split.has(schema.reference))
      add(`request ${schema.reference}`, `${toName(schema)}Request`, toOwner(schema));
  }
  for (const operation of operations) {
    const { id, typeName, pointer, callbacks } = operation;
    const owner = { what: `operation "${id}"`, pointer };
    add(`Request ${id}`, `${typeName}Request`, owner);
    add(`Replies ${id}`, `${typeName}Replies`, owner);
    if (hasItems(operation)) add(`Item ${id}`, `${typeName}Item`, owner);
    if (callbacks.length > 0) add(`Callbacks ${id}`, `${typeName}Callbacks`, owner);
  }
  const build = (use: (name: string) => void): Names => {
    const getUsed = (key: string): string => {
      const name = names.get(key);
      if (name === undefined) throw new Error(`Missing type for ${key}`);
      used.add(name);
      use(name);
      return name;
    };
    return {
      listRenamed: () => [...renamed].flatMap(([name, problem]) => (used.has(name) ? [problem] : [])),
      isReceived: (reference) => used.has(names.get(`request ${reference}`) ?? ""),
      schema: (reference, view) => getUsed(`${split.has(reference) ? view : "response"} ${reference}`),
      request: ({ id }) => getUsed(`Request ${id}`),
      replies: ({ id }) => getUsed(`Replies ${id}`),
      item: ({ id }) => getUsed(`Item ${id}`),
      callbacks: ({ id }) => getUsed(`Callbacks ${id}`),
      record: (own) => build((name) => own.add(name)),
    };
  };
  return build(() => undefined);
}

/** Returns the schema that a type belongs to. The base of a hierarchy belongs to the schema that it was derived from. */
function toOwner({ schema: { pointer } }: NamedSchema): { readonly what: string; readonly pointer: string } {
  return { what: `schema "${parsePointer(pointer).at(-1) ?? ""}"`, pointer };
}
