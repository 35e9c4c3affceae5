/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

const MAX_LENGTH = 60;

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
