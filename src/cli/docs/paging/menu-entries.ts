/** A place of the reference that can be linked to: an entry of the menu. */
export interface Entry {
  /**
   * `operation/listPets`, `tag/pets`, `section/Errors`: what the address ends in after `#`, without escapes. An operation of
   * several tags has the short one under the first.
   */
  readonly id: string;
  /** Redoc's id of it, which is longer for operations: `tag/pets/operation/listPets`. */
  readonly alias: string;
  readonly name: string;
  readonly kind: "operation" | "tag" | "section";
  /** Within its tag, or below its heading. */
  readonly entries: readonly Entry[];
  readonly description: string;
  readonly operation?: OperationFacts;
}

export interface OperationFacts {
  /** In lower case. */
  readonly method: string;
  /** Of a webhook: its name. */
  readonly path: string;
  readonly operationId: string | undefined;
  readonly deprecated: boolean;
  readonly isWebhook: boolean;
}

/** Entries without a place of their own, under a name: a group of tags, or operations that have no tag. */
export interface EntryGroup {
  /** None for what is not grouped. */
  readonly name: string | undefined;
  readonly entries: readonly Entry[];
}

/** What Redoc's own menu, which is not shown, says of a place. */
export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly items: readonly MenuItem[];
  readonly description?: string;
  /** Of operations: `operation/listPets`, also when `id` has the tag before it. */
  readonly operationHash?: string;
  readonly operationId?: string;
  readonly httpVerb?: string;
  readonly path?: string;
  readonly deprecated?: boolean;
  readonly isWebhook?: boolean;
}

/** In the contract's order. Operations without a tag are gathered, webhooks by themselves. */
export function toEntryGroups(items: readonly MenuItem[]): readonly EntryGroup[] {
  const taken = new Set<string>();
  const toEntry = (item: MenuItem): Entry => {
    const { operationHash: short } = item;
    const id = short === undefined || taken.has(short) ? item.id : short;
    taken.add(id);
    return toEntryOf(item, id, item.items.map(toEntry));
  };
  const groups = items.filter(({ type }) => type === "group");
  const plain = items.filter(({ type }) => type !== "group");
  const isUntagged = ({ type }: MenuItem) => type === "operation";
  const untagged = plain.filter(isUntagged);
  return [
    { name: undefined, items: plain.filter((item) => !isUntagged(item)) },
    ...groups.map(({ name, items: members }) => ({ name, items: members })),
    { name: "Operations", items: untagged.filter(({ isWebhook }) => isWebhook !== true) },
    { name: "Webhooks", items: untagged.filter(({ isWebhook }) => isWebhook === true) },
  ]
    .filter((group) => group.items.length > 0)
    .map((group) => ({ name: group.name, entries: group.items.map(toEntry) }));
}

function toEntryOf(item: MenuItem, id: string, entries: readonly Entry[]): Entry {
  const { type, httpVerb = "", path = "", operationId, deprecated = false, isWebhook = false } = item;
  const kind = type === "operation" || type === "tag" ? type : "section";
  return {
    id,
    alias: item.id,
    name: item.name,
    kind,
    entries,
    description: item.description ?? "",
    ...(kind === "operation" && {
      operation: { method: httpVerb, path, operationId, deprecated, isWebhook },
    }),
  };
}

/** All entries, each before those within it. */
export function flatten(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => [entry, ...flatten(entry.entries)]);
}

/** `#operation/list%20pets` for `operation/list pets`. */
export function toHash(id: string): string {
  return `#${id.toWellFormed().split("/").map(encodeURIComponent).join("/")}`;
}

/** The id in an address's fragment, with or without its `#`. */
export function readHash(hash: string): string {
  const id = hash.replace(/^#/, "");
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
