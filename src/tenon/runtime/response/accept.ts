import {
  coversEssence,
  coversMediaType,
  isRange,
  type ParsedMediaType,
  parseMediaType,
  toSpecificity,
} from "../../core/http/media-type.js";

/**
 * The media types that the client accepts, the preferred one first. Never empty: a client that accepts none of the declared
 * media types gets 406 before the handler is called.
 * @example
 * const accepts: Accepts<"application/json" | "text/csv"> = ["text/csv", "application/json"];
 * const isCsv = accepts[0] === "text/csv";
 */
export type Accepts<MediaType extends string> = readonly [MediaType, ...MediaType[]];

/** One media range of an `Accept` header. */
interface Preference {
  readonly range: ParsedMediaType;
  /** 0 to 1; 0 is a refusal. */
  readonly quality: number;
  readonly rank: number;
  readonly position: number;
}

/**
 * Chooses among media types as a client asks: each gets the quality of the most specific range that covers it. Equal ones are ordered by
 * how specifically the header names them, then by the header, then by `offered`.
 * @param accept The `Accept` header; absent or empty: all are equal.
 * @param offered Media types of the contract; a range stands for whatever it covers.
 * @returns what is acceptable, the preferred one first.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): readonly string[] {
  if (accept === undefined || accept === "*/*" || accept.trim() === "") return offered;
  const preferences = parseAccept(accept);
  return offered
    .flatMap((mediaType) => {
      const best = findPreference(mediaType, preferences);
      return best === undefined || best.quality === 0 ? [] : [{ mediaType, best }];
    })
    .sort(({ best: a }, { best: b }) => b.quality - a.quality || b.rank - a.rank || a.position - b.position)
    .map(({ mediaType }) => mediaType);
}

function parseAccept(accept: string): readonly Preference[] {
  // A comma within quotes belongs to a parameter. Quotes that are not closed end with the text: to go back and read them as
  // something else would be done for each quote, up to the end.
  const elements = accept.match(/(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g) ?? [];
  return elements.flatMap((element, position) => {
    const parsed = parseMediaType(element);
    if (parsed === undefined) return [];
    const parameters = new Map(parsed.parameters);
    const quality = toQuality(parameters.get("q") ?? "1");
    parameters.delete("q");
    const range = { ...parsed, parameters };
    return [{ range, quality, rank: toSpecificity(range), position }];
  });
}

/** Parses a quality value. An invalid one counts as 0, a refusal. */
function toQuality(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

function findPreference(offered: string, preferences: readonly Preference[]): Preference | undefined {
  const mediaType = parseMediaType(offered);
  if (mediaType === undefined) return undefined;
  const { essence } = mediaType;
  // A range can be served as any type that it covers, so the highest quality that is requested for one of them counts.
  if (isRange(essence)) {
    return preferences
      .filter(({ range }) => coversEssence(range.essence, essence) || coversEssence(essence, range.essence))
      .sort((a, b) => b.quality - a.quality || b.rank - a.rank)[0];
  }
  return preferences
    .filter(({ range }) => coversMediaType(range, mediaType))
    .sort((a, b) => b.rank - a.rank)[0];
}
