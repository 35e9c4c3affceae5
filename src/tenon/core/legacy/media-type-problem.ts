import { isMediaType, toMediaKind } from "../http/media-type.js";
import type { DocumentContext, Located } from "./document.js";

/**
 * Reports a key of `content` that cannot be read or written.
 * @param failure Start of the message: `Cannot serve response 200 of GET /pets`.
 * @returns whether all is well.
 */
export function reportMediaType(
  { name, pointer }: Located & { readonly name: string },
  failure: string,
  { report }: DocumentContext,
): boolean {
  if (!isMediaType(name)) {
    report(
      "media-type-unsupported",
      pointer,
      `${failure} as "${name}": it is not a media type`,
      suggest(name),
    );
    return false;
  }
  const charset = /;\s*charset="?([^";\s]*)/i.exec(name)?.[1] ?? "utf-8";
  if (toMediaKind(name) === "binary" || charset.toLowerCase() === "utf-8") return true;
  report("media-type-unsupported", pointer, `${failure} as "${name}": its charset is not UTF-8`);
  return false;
}

/** What to write instead of a list, which other tools let pass: each media type is a key, and `;` starts a parameter. */
function suggest(name: string): string {
  const [first = "", ...rest] = name.split(",").map((part) => part.trim());
  const parts = [first, ...rest];
  if (isMediaType(first) && rest.length > 0 && rest.every((part) => /^[\w-]+=\S+$/.test(part)))
    return `Write "${parts.join("; ")}"`;
  if (rest.length > 0 && parts.every(isMediaType))
    return `Write each as a key of its own: ${parts.map((part) => `"${part}"`).join(" and ")}`;
  return 'Write a type and a subtype, such as "application/json"';
}
