import type { Entry } from "./menu-entries.js";

/**
 * Finds entries by all words of a text: first those whose name has them, the shortest name first, then by operationId, method
 * and path, then by description.
 */
export type Search = (text: string) => readonly Entry[];

export function createSearch(entries: readonly Entry[]): Search {
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
