import type { Entry } from "./entry.js";

/** Finds entries by all words of a text: first those whose name, operationId, method or path have them, then by description. */
export type Search = (text: string) => readonly Entry[];

export function createSearch(entries: readonly Entry[]): Search {
  const texts = entries.map((entry) => {
    const { operation, name, description } = entry;
    const names = [name, operation?.operationId, operation?.method, operation?.path].join("\n").toLowerCase();
    return { entry, names, all: `${names}\n${description.toLowerCase()}` };
  });
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const has = (place: string) => words.every((word) => place.includes(word));
    const named = texts.filter(({ names }) => has(names));
    const described = texts.filter(({ names, all }) => !has(names) && has(all));
    return [...named, ...described].map(({ entry }) => entry);
  };
}
