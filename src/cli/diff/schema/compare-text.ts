import type { Pair } from "./compare-limits.js";
import { type Fact, findKeyword } from "./fact.js";
import { impliesFormat, isKnownFormat } from "./formats.js";
import type { NumberShape, StringShape } from "./shape.js";

/** Formats decide which values there are where they are known; of the others it is only known that they differ. */
export function compareFormats({ base, revision }: Pair<StringShape | NumberShape>): readonly Fact[] {
  const gone = base.formats.filter((format) => !impliesFormat(revision.formats, format));
  const come = revision.formats.filter((format) => !impliesFormat(base.formats, format));
  if (gone.length === 0 && come.length === 0) return [];
  const keys = ["format", "contentEncoding", "contentMediaType"];
  const place = {
    before: base.formats[0],
    after: revision.formats[0],
    base: findKeyword(base.sources, ...keys),
    revision: findKeyword(revision.sources, ...keys),
  };
  if (![...gone, ...come].every(isKnownFormat))
    return [{ ...place, name: "unknown-format-changed", effect: "unknown" }];
  if (gone.length > 0 && come.length > 0) return [{ ...place, name: "format-changed", effect: "unknown" }];
  return come.length > 0
    ? [{ ...place, name: "format-narrowed", effect: "narrower" }]
    : [{ ...place, name: "format-widened", effect: "wider" }];
}

/** Whether one pattern matches all that another does is not decided. */
export function comparePatterns({ base, revision }: Pair<StringShape>): readonly Fact[] {
  const gone = base.patterns.filter((pattern) => !revision.patterns.includes(pattern));
  const come = revision.patterns.filter((pattern) => !base.patterns.includes(pattern));
  if (gone.length === 0 && come.length === 0) return [];
  const place = {
    before: gone[0],
    after: come[0],
    base: findKeyword(base.sources, "pattern"),
    revision: findKeyword(revision.sources, "pattern"),
  };
  if (gone.length > 0 && come.length > 0) return [{ ...place, name: "pattern-changed", effect: "unknown" }];
  return come.length > 0
    ? [{ ...place, name: "pattern-added", effect: "narrower" }]
    : [{ ...place, name: "pattern-removed", effect: "wider" }];
}
