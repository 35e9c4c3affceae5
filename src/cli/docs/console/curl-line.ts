import { toMediaKind } from "tenon/core/http";
import { quote, toCurl as toLine } from "../../output/curl.js";
import type { WireRequest } from "../../verify/messages/index.js";
import type { GivenBody, GivenField } from "./call.js";

/**
 * The line that sends the same request from a shell, with each credential as a variable. Files are named as the reader's
 * computer names them: curl looks for them where it is called.
 */
export function toCurl(wire: WireRequest, base: string, body: GivenBody | undefined): string {
  if (body !== undefined && "file" in body)
    return toLine(wire, base, [`--data-binary ${quote(`@${body.file.name}`)}`]);
  if (body === undefined || !("fields" in body) || toMediaKind(body.mediaType) !== "multipart")
    return toLine(wire, base);
  // curl makes a boundary of its own.
  const headers = wire.headers.filter(({ name }) => name !== "Content-Type");
  return toLine({ ...wire, headers }, base, body.fields.flatMap(toParts));
}

function toParts({ field: { name, kind }, text, files }: GivenField): readonly string[] {
  if (kind === "file" || kind === "files")
    return files.map((file) => `-F ${quote(`${name}=${toFilePart(file)}`)}`);
  return [`--form-string ${quote(`${name}=${text}`)}`];
}

/** In double quotes, a name may have what would begin an option of the part. */
function toFilePart({ name, type }: File): string {
  const quoted = `@"${name.replaceAll(/["\\]/g, "\\$&")}"`;
  return type === "" ? quoted : `${quoted};type=${type}`;
}
