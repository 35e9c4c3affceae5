/** An entry of the menu: a place of the reference that can be linked to. */
export interface Entry {
  /**
   * `operation/listPets`, `tag/pets`, `section/Errors`: what the address ends in after `#`, without escapes. An operation of
   * several tags has the short one under the first.
   */
  readonly id: string;
  /** Redoc's id, which is longer for operations: `tag/pets/operation/listPets`. */
  readonly alias: string;
  readonly name: string;
  readonly kind: "operation" | "tag" | "section";
  /** Within its tag, or below its heading. */
  readonly entries: readonly Entry[];
  readonly description: string;
  readonly operation?: {
    /** In lower case. */
    readonly method: string;
    /** For a webhook, its name. */
    readonly path: string;
    readonly operationId: string | undefined;
    readonly deprecated: boolean;
    readonly isWebhook: boolean;
  };
}

/** Entries without a place of their own, under a name: a group of tags, or operations that have no tag. */
export interface EntryGroup {
  /** undefined for entries without a group. */
  readonly name: string | undefined;
  readonly entries: readonly Entry[];
}

/** An entry of Redoc's own menu, which is not shown. */
export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly items: readonly MenuItem[];
  readonly description?: string;
  /** Short id of an operation: `operation/listPets`, also when `id` has the tag before it. */
  readonly operationHash?: string;
  readonly operationId?: string;
  readonly httpVerb?: string;
  readonly path?: string;
  readonly deprecated?: boolean;
  readonly isWebhook?: boolean;
}

/** Groups the entries in the contract's order. Operations and webhooks without a tag have groups of their own. */
export function toEntryGroups(items: readonly MenuItem[]): readonly EntryGroup[] {
  const taken = new Set<string>();
  const toEntry = (item: MenuItem): Entry => {
    const { operationHash: short } = item;
    const id = short === undefined || taken.has(short) ? item.id : short;
    taken.add(id);
    const { type, httpVerb = "", path = "", operationId, deprecated = false, isWebhook = false } = item;
    const kind = type === "operation" || type === "tag" ? type : "section";
    return {
      id,
      alias: item.id,
      name: item.name,
      kind,
      entries: item.items.map(toEntry),
      description: item.description ?? "",
      ...(kind === "operation" && {
        operation: { method: httpVerb, path, operationId, deprecated, isWebhook },
      }),
    };
  };
  const untagged = items.filter(({ type }) => type === "operation");
  return [
    { name: undefined, items: items.filter(({ type }) => type !== "operation" && type !== "group") },
    ...items.filter(({ type }) => type === "group"),
    { name: "Operations", items: untagged.filter(({ isWebhook }) => isWebhook !== true) },
    { name: "Webhooks", items: untagged.filter(({ isWebhook }) => isWebhook === true) },
  ]
    .filter((group) => group.items.length > 0)
    .map((group) => ({ name: group.name, entries: group.items.map(toEntry) }));
}

/** Lists all entries, each before those within it. */
export function flatten(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => [entry, ...flatten(entry.entries)]);
}

/** `#operation/list%20pets` for `operation/list pets`. */
export function toHash(id: string): string {
  return `#${id.toWellFormed().split("/").map(encodeURIComponent).join("/")}`;
}

/** Reads the id in an address's fragment, with or without its `#`. */
export function readHash(hash: string): string {
  const id = hash.replace(/^#/, "");
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Finds entries by all words of a text: first those whose name has them, the shortest name first, then by operationId, method
 * and path, then by description.
 */
export function createSearch(entries: readonly Entry[]): (text: string) => readonly Entry[] {
  const texts = entries.map((entry) => {
    const { operation, name, description } = entry;
    const names = [name, operation?.operationId, operation?.method, operation?.path].join("\n");
    // A link's target is not text that a reader searches for.
    const text = description.replaceAll(/\]\([^()\s]*\)/g, "]");
    return { entry, places: [name, names, `${names}\n${text}`].map((place) => place.toLowerCase()) };
  });
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    return texts
      .map(({ entry, places }) => {
        return { entry, rank: places.findIndex((place) => words.every((word) => place.includes(word))) };
      })
      .filter(({ rank }) => rank !== -1)
      .sort((a, b) => a.rank - b.rank || (a.rank === 0 ? a.entry.name.length - b.entry.name.length : 0))
      .map(({ entry }) => entry);
  };
}
