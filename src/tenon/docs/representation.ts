import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request } from "express";

type Coding = "br" | "gzip";

/** Content codings, smallest first. Deflate is omitted: browsers disagree about its format. */
const CODINGS: readonly Coding[] = ["br", "gzip"];

/** One coding of a file, as it is sent. */
export interface Representation {
  readonly bytes: Buffer;
  /** Strong validator. Each coding has its own (RFC 9110, section 8.8.3.3). */
  readonly etag: string;
  readonly coding?: Coding;
}

/**
 * Creates the representations of a file. Each coding is compressed on its first request, off the event loop, and then cached.
 */
export function createRepresentations(identity: Buffer): (request: Request) => Promise<Representation> {
  const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  const compressed = new Map<Coding, Promise<Representation>>();
  return (request) => {
    const coding = CODINGS.find((name) => request.acceptsEncodings(name) === name);
    if (coding === undefined) return Promise.resolve({ bytes: identity, etag: `"${hash}"` });
    const kept = compressed.get(coding);
    if (kept !== undefined) return kept;
    const made = compress(coding, identity).then((bytes) => ({ bytes, coding, etag: `"${hash}-${coding}"` }));
    compressed.set(coding, made);
    return made;
  };
}

function compress(coding: Coding, bytes: Buffer): Promise<Buffer> {
  if (coding === "gzip") return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/** Brotli quality, 0 to 11. */
const BROTLI_QUALITY = 9;
