import type { Response } from "tenon/core/model";

/** @see https://www.iana.org/assignments/http-status-codes, without 1xx, which are not final responses. */
const REGISTERED = [
  ...[200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 307, 308],
  ...[
    400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423,
    424,
  ],
  ...[425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511],
];

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Emits the status parameter of a reply method. The method of a status code has none, and that of `default` takes any number.
 * `4XX` takes the registered codes that the operation does not declare itself, because a declared code takes precedence over its
 * range. If it has a body, codes without a body are excluded.
 */
export function emitStatusType(
  { status, mediaTypes }: Pick<Response, "status" | "mediaTypes">,
  responses: readonly Response[],
): readonly string[] {
  if (status === "default") return ["status: number"];
  if (!status.endsWith("XX")) return [];
  const declared = new Set(responses.map((response) => response.status));
  const codes = REGISTERED.filter(
    (code) =>
      status.startsWith(String(code).charAt(0)) &&
      !declared.has(String(code)) &&
      !(mediaTypes.length > 0 && BODILESS.has(code)),
  );
  return [`status: ${codes.join(" | ") || "never"}`];
}
