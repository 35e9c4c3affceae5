import { MIMEType } from "node:util";
import { coversEssence, isRange, toEssence } from "../../core/http/media-type.js";

/** Parses a media type or range with its parameters; undefined when it is neither. */
export function parseMediaType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

/** Parameters in lower case, without `charset`: text is UTF-8 either way. */
export function parametersOf(mediaType: MIMEType | undefined): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of mediaType?.params ?? []) {
    if (name !== "charset") parameters.set(name, value.toLowerCase());
  }
  return parameters;
}

/**
 * RFC 9110, section 12.5.1: a media type with parameters comes before one without, then `application/*+json`, `image/*`, `*\/*`.
 */
export function specificity(essence: string, parameters: ReadonlyMap<string, string>): number {
  const level = essence === "*/*" ? 0 : essence.endsWith("/*") ? 1 : isRange(essence) ? 2 : 3;
  return level * 1_000 + parameters.size;
}

/** Finds the declared media type or range that covers an actual one; the most specific wins. */
export function findDeclared(declared: readonly string[], actual: MIMEType): string | undefined {
  const own = parametersOf(actual);
  const covering = declared.flatMap((name) => {
    const essence = toEssence(name);
    const parameters = parametersOf(parseMediaType(name));
    const covers =
      coversEssence(essence, actual.essence) &&
      [...parameters].every(([key, value]) => own.get(key) === value);
    return covers ? [{ name, rank: specificity(essence, parameters) }] : [];
  });
  return covering.sort((a, b) => b.rank - a.rank)[0]?.name;
}
