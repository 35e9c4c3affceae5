import { isRange, toEssence } from "../media-type.js";
import { toIdentifier } from "./identifier.js";

/**
 * Names media types as methods: `application/problem+json` is `problemJson`, `image/*` is `image`, `*\/*` is `any`. Those
 * that would share a name get their whole type: `application/json` beside `text/json` is `applicationJson`. Names that are
 * still equal are the caller's to report.
 */
export function toMethodNames(mediaTypes: readonly string[]): readonly string[] {
  const short = mediaTypes.map(toShortName);
  return short.map((name, index) => {
    const shared = short.some((other, at) => at !== index && other === name);
    return shared ? toIdentifier((mediaTypes[index] ?? "").toLowerCase().replaceAll("*", "any")) : name;
  });
}

function toShortName(mediaType: string): string {
  const [type = "", subtype = ""] = toEssence(mediaType).split("/");
  if (!isRange(mediaType)) return toIdentifier(subtype);
  return type === "*" ? "any" : toIdentifier(type);
}
