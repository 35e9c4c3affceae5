import type { Operation, OutgoingRequest } from "tenon/core/model";
import { groupBy } from "../group-by.js";
import { contentImports, hasItems } from "./media-type-types.js";
import { hasOptionalHeaders } from "./operation-types.js";
import { emitOutgoing } from "./outgoing.js";
import type { Context } from "./schema-type.js";
import { emitComment, emitImport, emitKey } from "../text.js";

/** Name of the group of operations without a tag. */
export const UNTAGGED = "untagged";

/** Groups operations by their first tag. The keys are paths of files: `operations/pets.ts`. */
export function toParts(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const byTag = groupBy(operations, ({ tags: [tag = UNTAGGED] }) => tag);
  const names = toFileNames([...byTag.keys()]);
  return new Map([...byTag].map(([tag, tagged]) => [`operations/${names.get(tag) ?? ""}.ts`, tagged]));
}

/**
 * Emits the imports that the types of operations need; the compiler refuses unused ones.
 * @param others Further names to import from the runtime. Default: none.
 */
export function emitImports(operations: readonly Operation[], others: readonly string[] = []): string {
  const content = new Set(operations.flatMap(contentImports));
  const runtime = [
    ...others,
    ...(content.has("Accepts") ? ["type Accepts"] : []),
    ...(content.has("ByteSource") ? ["type ByteSource"] : []),
    ...(content.has("FormFile") ? ["type FormFile"] : []),
    ...(content.has("ItemSource") ? ["type ItemSource"] : []),
    ...(operations.length > 0 ? ["type RawReplies", "type Reply"] : []),
    ...(operations.some(hasOptionalHeaders) ? ["type ReplyOptions"] : []),
  ];
  const node = content.has("Readable") ? ["type Readable"] : [];
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
  const used = new Set<string>();
  const types = emit({ ...context, names: context.names.record(used) });
  const own = new Set(
    operations.flatMap((operation) => [
      context.names.request(operation),
      context.names.replies(operation),
      ...(hasItems(operation) ? [context.names.item(operation)] : []),
      ...(operation.callbacks.length > 0 ? [context.names.callbacks(operation)] : []),
    ]),
  );
  const components = [...used].filter((name) => !own.has(name)).map((name) => `type ${name}`);
  const imports = emitImports(operations) + emitImport(schemas, components);
  return `${imports}${imports === "" ? "" : "\n"}${types.join("\n")}`;
}

/** Emits `Webhooks` if the contract has any. */
export function emitWebhooks(webhooks: readonly OutgoingRequest[], context: Context): readonly string[] {
  if (webhooks.length === 0) return [];
  const comment = "Webhook requests that the service sends, with their possible responses.";
  return [emitOutgoing("Webhooks", comment, webhooks, context)];
}

/** Emits `Callbacks`, by operation, if an operation has any. */
export function emitCallbacks(operations: readonly Operation[], { names }: Context): readonly string[] {
  const calling = operations.filter(({ callbacks }) => callbacks.length > 0);
  if (calling.length === 0) return [];
  const members = calling.map(
    (operation) => `  readonly ${emitKey(operation.id)}: ${names.callbacks(operation)};\n`,
  );
  const comment = "Callback requests that the service sends, by the operation whose request has their URL.";
  return [`${emitComment([comment])}export interface Callbacks {\n${members.join("")}}\n`];
}

/** Names that Windows reserves for devices, with any extension. */
export const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Characters of a file's name. File systems allow 255 bytes. */
export const MAX_LENGTH = 60;

/**
 * Converts each tag to a file name without extension: lower-case ASCII, which every file system accepts and keeps unchanged.
 * `Pet Store` becomes `pet-store`, `Größe` `grosse`, `動物` `u52d5u7269`. Duplicate names get `-2`, `-3`, … in order.
 */
export function toFileNames(tags: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tag of tags) {
    const wanted = toFileName(tag);
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
    taken.add(name);
    names.set(tag, name);
  }
  return names;
}

function toFileName(tag: string): string {
  const name = tag
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (character) => `u${(character.codePointAt(0) ?? 0).toString(16)}`)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, "");
  return name === "" || DEVICE.test(name) ? `tag-${name}`.replace(/-$/, "") : name;
}
