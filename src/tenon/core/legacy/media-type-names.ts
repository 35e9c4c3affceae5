import { toEssence } from "../http/media-type.js";
import { toIdentifier } from "../model/names.js";

/**
 * Names media types as methods: `application/problem+json` is `problemJson`, `image/*` is `image`, `*\/*` is `any`. Those
 * that would share a name get their whole type: `application/json` beside `text/json` is `applicationJson`. Where even that
 * is taken, the later one gets a trailing `_`.
 */
export function toMethodNames(mediaTypes: readonly string[]): readonly string[] {
  const short = mediaTypes.map(toShortName);
  const taken = new Set<string>();
  return short.map((own, index) => {
    const shared = short.some((other, at) => at !== index && other === own);
    let name = shared ? toIdentifier((mediaTypes[index] ?? "").toLowerCase().replaceAll("*", "any")) : own;
    while (taken.has(name)) name += "_";
    taken.add(name);
    return name;
  });
}

function toShortName(mediaType: string): string {
  const [type = "", subtype = ""] = toEssence(mediaType).split("/");
  if (subtype !== "*") return toIdentifier(subtype.replace("*", "any"));
  return type === "*" ? "any" : toIdentifier(type);
}
