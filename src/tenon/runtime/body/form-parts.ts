import { findMediaType, toEssence } from "../../core/http/media-type.js";
import { addPair } from "../../core/parameters/pairs.js";
import { HttpError, type HttpErrorCode } from "../errors/http-error.js";
import { assertSize } from "./body-errors.js";
import type { FormFile } from "./form-files.js";
import { findStyled, type FormReader } from "./form.js";
import { decodeText } from "./request-content.js";

/** A part of a multipart form without its content. */
export interface PartHead {
  readonly name: string | undefined;
  /** Absent when the part has none; empty when a browser sends an empty file input. */
  readonly filename: string | undefined;
  readonly encoding: string;
  /** As it was sent; `text/plain` when the part has none. */
  readonly mediaType: string;
  readonly size: number;
}

/** The values of the parts so far. */
export interface SentParts {
  readonly texts: Map<string, string[]>;
  readonly files: Map<string, FormFile[]>;
}

interface PartOptions {
  readonly findField: FormReader["findField"];
  /** The content; undefined for a file that is not in memory. */
  readonly bytes: Uint8Array | undefined;
  readonly toFile: (filename: string, mediaType: string) => FormFile;
}

/**
 * Adds a part to a form as the contract has it: as a file, or as a text that is escaped as in a query.
 * @throws {HttpError} `unsupported_media_type`, `invalid_body`, naming the field.
 */
export function addPart({ texts, files }: SentParts, head: PartHead, options: PartOptions): void {
  const { name, filename, size } = head;
  if (filename === "" && size === 0) return;
  if (name === undefined) throw new HttpError("invalid_body", { message: "A part of the form has no name" });
  const value = toValue(name, head, options);
  if (typeof value === "string") addPair(texts, name, value);
  else files.set(name, [...(files.get(name) ?? []), value]);
}

function toValue(
  name: string,
  { filename, encoding, mediaType, size }: PartHead,
  { findField, bytes, toFile }: PartOptions,
): string | FormFile {
  const field = findField(name);
  // RFC 7578, section 4.7: deprecated; taking encoded text for the value would change it.
  if (!["7bit", "8bit", "binary"].includes(encoding)) {
    refusePart("unsupported_media_type", name, "must not have a Content-Transfer-Encoding");
  }
  const declared = field?.mediaTypes ?? [];
  const wanted = declared.length > 0 ? declared : ["*/*"];
  const isWanted = findMediaType(
    wanted.map((one) => ({ name: one })),
    mediaType,
  );
  if (isWanted === undefined) {
    refusePart("unsupported_media_type", name, `must be ${wanted.join(" or ")}`);
  }
  if (/\p{Cc}/u.test(filename ?? ""))
    refusePart("invalid_body", name, "has a control character in its file name");
  if (bytes === undefined || isFile(field, filename)) {
    assertSize(size, field?.size, { subject: `Field "${name}"`, path: [name] });
    return toFile(filename ?? "", toEssence(mediaType));
  }
  // As in a query, where delimiters can be escaped; in a part, nothing is escaped.
  return decodeText(bytes, `Field "${name}"`).replace(/[%+]/g, encodeURIComponent);
}

/** Tests whether a part is a file: the contract decides, unless it does not name the field. */
export function isFile(field: ReturnType<FormReader["findField"]>, filename: string | undefined): boolean {
  return field === undefined ? filename !== undefined : findStyled(field) === undefined;
}

export function refusePart(code: HttpErrorCode, name: string, problem: string): never {
  throw new HttpError(code, { message: `Field "${name}" ${problem}` });
}
