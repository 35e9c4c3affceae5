import type { Sides } from "../../sides.js";
import { type Difference, placeOfKeyword } from "./difference.js";
import { impliesFormat, isKnownFormat, type NumberShape, type StringShape } from "../normal-form/index.js";

/** Compares formats. Only known formats are narrower or wider than others. */
export function compareFormats({ base, revision }: Sides<StringShape | NumberShape>): readonly Difference[] {
  const gone = base.formats.filter((format) => !impliesFormat(revision.formats, format));
  const come = revision.formats.filter((format) => !impliesFormat(base.formats, format));
  if (gone.length === 0 && come.length === 0) return [];
  const keys = ["format", "contentEncoding", "contentMediaType"];
  const place = {
    before: base.formats[0],
    after: revision.formats[0],
    base: placeOfKeyword(base.sources, ...keys),
    revision: placeOfKeyword(revision.sources, ...keys),
  };
  if (![...gone, ...come].every(isKnownFormat))
    return [{ ...place, name: "unknown-format-changed", effect: "unknown" }];
  if (gone.length > 0 && come.length > 0) return [{ ...place, name: "format-changed", effect: "unknown" }];
  return come.length > 0
    ? [{ ...place, name: "format-narrowed", effect: "narrower" }]
    : [{ ...place, name: "format-widened", effect: "wider" }];
}

/** Compares patterns by their text only. */
export function comparePatterns({ base, revision }: Sides<StringShape>): readonly Difference[] {
  const gone = base.patterns.filter((pattern) => !revision.patterns.includes(pattern));
  const come = revision.patterns.filter((pattern) => !base.patterns.includes(pattern));
  if (gone.length === 0 && come.length === 0) return [];
  const place = {
    before: gone[0],
    after: come[0],
    base: placeOfKeyword(base.sources, "pattern"),
    revision: placeOfKeyword(revision.sources, "pattern"),
  };
  if (gone.length > 0 && come.length > 0) return [{ ...place, name: "pattern-changed", effect: "unknown" }];
  return come.length > 0
    ? [{ ...place, name: "pattern-added", effect: "narrower" }]
    : [{ ...place, name: "pattern-removed", effect: "wider" }];
}
