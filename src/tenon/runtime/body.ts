import { MIMEType } from "node:util";
import express, { type Request, type Response } from "express";
import { HttpError } from "./http-error.js";
import { parseExactJson } from "./json.js";
import type { RequestBodyDescriptor } from "./operation.js";

export interface RequestBody {
  /** The declared media type that the request's `Content-Type` falls under; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly value: unknown;
}

export interface BodyReaderOptions {
  /** Largest body in bytes, after decompression. */
  readonly limit: number;
}

const NO_BODY: RequestBody = { mediaType: undefined, value: undefined };

/**
 * Reads a request's body: media type first, so that what nobody declared is refused unread, then the bytes, then JSON
 * that is exact or refused.
 * @throws {HttpError} `unsupported_media_type`, `content_too_large`, `malformed_json`, `invalid_body` when it is missing.
 */
export type BodyReader = (
  request: Request,
  response: Response,
  body: RequestBodyDescriptor,
) => Promise<RequestBody>;

export function createBodyReader({ limit }: BodyReaderOptions): BodyReader {
  const readBytes = express.raw({ limit, type: () => true });

  return async (request, response, declared) => {
    if (!hasBody(request)) {
      if (declared.required) throw new HttpError("invalid_body", { message: "The body is required" });
      return NO_BODY;
    }
    const mediaType = declaredMediaType(request.headers["content-type"], declared.mediaTypes);
    await new Promise<void>((resolve, reject) => {
      readBytes(request, response, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(toHttpError(error, limit));
      });
    });
    return { mediaType, value: parseExactJson(request.body as Buffer) };
  };
}

/** RFC 9112, section 6: a request has a body when it says how long it is. `Content-Length: 0` says that there is none. */
function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function declaredMediaType(contentType: string | undefined, declared: readonly string[]): string {
  const wanted = `want ${declared.join(" or ")}`;
  const refuse = (found: string): never => {
    throw new HttpError("unsupported_media_type", {
      message: `Content-Type ${found}; ${wanted}`,
      // RFC 9110, section 15.5.16: tells what would have been accepted.
      headers: { Accept: declared.join(", ") },
    });
  };
  if (contentType === undefined) return refuse("is missing");
  let parsed: MIMEType;
  try {
    parsed = new MIMEType(contentType);
  } catch {
    return refuse("is not a media type");
  }
  const charset = parsed.params.get("charset");
  if (charset !== null && charset.toLowerCase() !== "utf-8") return refuse("has a charset other than UTF-8");
  return declared.find((range) => covers(range, parsed)) ?? refuse(`is ${parsed.essence}`);
}

/** Whether a media type of the contract, or a range such as `application/*`, covers the request's. */
function covers(range: string, { essence, type }: MIMEType): boolean {
  const declared = range.split(";", 1)[0]?.trim().toLowerCase();
  return declared === essence || declared === `${type}/*` || declared === "*/*";
}

/** body-parser tells what happened by `type`. @see https://github.com/expressjs/body-parser#errors */
function toHttpError(error: unknown, limit: number): Error {
  switch ((error as { type?: unknown }).type) {
    case "entity.too.large":
      return new HttpError("content_too_large", {
        message: `The body is larger than ${limit} bytes`,
        // What follows of the body is not read, so the connection cannot be used again.
        headers: { Connection: "close" },
        cause: error,
      });
    case "encoding.unsupported":
      return new HttpError("unsupported_media_type", {
        message: "Content-Encoding must be gzip, deflate, br or identity",
        headers: { "Accept-Encoding": "gzip, deflate, br, identity" },
        cause: error,
      });
    case "request.size.invalid":
    case "request.aborted":
      return new HttpError("malformed_request", {
        message: "The body is not as long as announced",
        cause: error,
      });
    default: {
      // A body that does not decompress has zlib's code and no type.
      const { code, status } = error as { code?: unknown; status?: unknown };
      if (status === 400 || (typeof code === "string" && /^(Z_|ERR_.*BROTLI|ERR__)/.test(code))) {
        return new HttpError("malformed_request", {
          message: "The body cannot be decompressed",
          cause: error,
        });
      }
      return error instanceof Error ? error : new Error("The body cannot be read", { cause: error });
    }
  }
}
