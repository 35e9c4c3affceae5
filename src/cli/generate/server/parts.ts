import type { Operation, OutgoingRequest } from "tenon/core/model";
import { toFileNames } from "../file-name.js";
import { groupBy } from "../group-by.js";
import { contentImports } from "./media-type-types.js";
import { recordNames } from "./names.js";
import { hasOptionalHeaders } from "./operation-types.js";
import { emitOutgoing } from "./outgoing.js";
import type { TypeContext } from "./schema-type.js";
import { emitImport } from "../text.js";

type Context = Omit<TypeContext, "view">;

/** Operations without a tag. */
const UNTAGGED = "untagged";

/** Groups operations by their first tag. The keys are paths of files: `operations/pets.ts`. */
export function toParts(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const byTag = groupBy(operations, ({ tags: [tag = UNTAGGED] }) => tag);
  const names = toFileNames([...byTag.keys()]);
  return new Map([...byTag].map(([tag, tagged]) => [`operations/${names.get(tag) ?? ""}.ts`, tagged]));
}

/** Names to import from `node:stream` and from the runtime. */
export interface Imports {
  readonly node: readonly string[];
  readonly runtime: readonly string[];
}

/** Lists the imports that the types of operations need; the compiler refuses unused ones. */
export function operationImports(operations: readonly Operation[]): Imports {
  const content = new Set(operations.flatMap(contentImports));
  return {
    node: content.has("Readable") ? ["type Readable"] : [],
    runtime: [
      ...(content.has("Accepts") ? ["type Accepts"] : []),
      ...(content.has("FormFile") ? ["type FormFile"] : []),
      ...(operations.length > 0 ? ["type RawReplies", "type Reply"] : []),
      ...(operations.some(hasOptionalHeaders) ? ["type ReplyOptions"] : []),
    ],
  };
}

export function emitImports({ node, runtime }: Imports): string {
  return `${emitImport("node:stream", node)}${emitImport("tenon/runtime", runtime)}`;
}

/**
 * Emits a file of types with its imports.
 * @param schemas Module that declares the components.
 */
export function emitPart(
  schemas: string,
  operations: readonly Operation[],
  context: Context,
  emit: (context: Context) => readonly string[],
): string {
  const { names, used } = recordNames(context.names);
  const types = emit({ ...context, names });
  const own = new Set(
    operations.flatMap((operation) => [
      context.names.request(operation),
      context.names.replies(operation),
      ...(operation.callbacks.length > 0 ? [context.names.callbacks(operation)] : []),
    ]),
  );
  const components = [...used].filter((name) => !own.has(name)).map((name) => `type ${name}`);
  const imports = emitImports(operationImports(operations)) + emitImport(schemas, components);
  return `${imports}${imports === "" ? "" : "\n"}${types.join("\n")}`;
}

/** Emits `Webhooks` if the contract has any. */
export function emitWebhooks(webhooks: readonly OutgoingRequest[], context: Context): readonly string[] {
  if (webhooks.length === 0) return [];
  const comment = "Webhook requests that the service sends, with their possible responses.";
  return [emitOutgoing("Webhooks", comment, webhooks, context)];
}
