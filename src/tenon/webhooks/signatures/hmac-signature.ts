import { createHmac } from "node:crypto";
import { hasEqual, MOST_SIGNATURES, readTimestamp, type SignatureScheme, toSecrets } from "./signature.js";

/**
 * Headers of a scheme that signs with an HMAC.
 * @example
 * // GitHub
 * const github: HmacSignatureOptions = {
 *   secrets: "secret",
 *   header: "X-Hub-Signature-256",
 *   value: "sha256={signature}",
 *   content: "{body}",
 *   idHeader: "X-GitHub-Delivery",
 * };
 * @example
 * // Stripe
 * const stripe: HmacSignatureOptions = {
 *   secrets: "whsec_text",
 *   header: "Stripe-Signature",
 *   value: "t={timestamp},v1={signature}",
 *   content: "{timestamp}.{body}",
 * };
 * @example
 * // Slack
 * const slack: HmacSignatureOptions = {
 *   secrets: "secret",
 *   header: "X-Slack-Signature",
 *   value: "v0={signature}",
 *   content: "v0:{timestamp}:{body}",
 *   timestampHeader: "X-Slack-Request-Timestamp",
 * };
 */
export interface HmacSignatureOptions {
  /** The secrets as text. A sender signs with the first, or with each if {@link value} is a list; a receiver accepts any. */
  readonly secrets: string | readonly string[];
  /** Header of the signature. */
  readonly header: string;
  /**
   * Its value with `{signature}` and, if it contains the time, `{timestamp}`. Commas separate the parts of a list, of which others
   * are ignored. Default: `{signature}`.
   */
  readonly value?: string;
  /** The signed text with `{body}` at its end and, if the time is signed, `{timestamp}`. Default: `{body}`. */
  readonly content?: string;
  /** Header of the time, if it is not in {@link header}. */
  readonly timestampHeader?: string;
  /**
   * Header that identifies an event, so that it is handled once. Such schemes do not sign it: it protects from repetitions by the
   * sender, and not from someone who can read the requests.
   */
  readonly idHeader?: string;
  /** Default: `sha256`. */
  readonly algorithm?: "sha1" | "sha256" | "sha384" | "sha512";
  /** Default: `hex`. */
  readonly encoding?: "hex" | "base64";
}

/**
 * Creates a signature scheme with an HMAC in a header, as GitHub, Stripe and Slack have it.
 * @throws {TypeError} when `value` has no `{signature}`, or `content` signs a timestamp that no header has.
 * @example
 * const signature = hmacSignature({ secrets: "secret", header: "X-Signature", value: "sha256={signature}" });
 */
export function hmacSignature(options: HmacSignatureOptions): SignatureScheme {
  const { header, value = "{signature}", content = "{body}", timestampHeader, idHeader } = options;
  const { algorithm = "sha256", encoding = "hex" } = options;
  const secrets = toSecrets(options.secrets);
  const parts = value.split(",").map((part) => /^(.*)\{(signature|timestamp)\}$/.exec(part) ?? undefined);
  const isTimed = content.includes("{timestamp}");
  assertTemplates(options, { parts, isTimed });
  const [before = ""] = content.split("{body}");

  const toMacs = (timestamp: number | undefined, body: Uint8Array, used = secrets as readonly string[]) =>
    used.map((secret) =>
      createHmac(algorithm, secret)
        .update(before.replaceAll("{timestamp}", String(timestamp)))
        .update(body)
        .digest(),
    );
  const listFound = (text: string, wanted: "signature" | "timestamp"): readonly string[] =>
    parts.flatMap((part) => {
      const [, prefix = "", kind] = part ?? [];
      if (kind !== wanted) return [];
      const given = parts.length === 1 ? [text] : text.split(",").map((one) => one.trim());
      return given.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
    });
  const headers = [header, timestampHeader, idHeader].filter((name) => name !== undefined);

  return {
    headers: headers.map((name) => name.toLowerCase()),
    sign: ({ id, timestamp, body }) => {
      const macs = toMacs(timestamp, body, parts.length === 1 ? secrets.slice(0, 1) : secrets);
      const texts = parts.flatMap((part) => {
        const [, prefix = "", kind] = part ?? [];
        return kind === "timestamp"
          ? [`${prefix}${timestamp}`]
          : macs.map((mac) => prefix + mac.toString(encoding));
      });
      return {
        [header]: texts.join(","),
        ...(timestampHeader !== undefined && { [timestampHeader]: String(timestamp) }),
        ...(idHeader !== undefined && { [idHeader]: id }),
      };
    },
    verify: ({ body, header: read }) => {
      const text = read(header);
      if (text === undefined) return "header";
      const timestamp = readTimestamp(
        timestampHeader === undefined ? listFound(text, "timestamp")[0] : read(timestampHeader),
      );
      if (isTimed && timestamp === undefined) return "header";
      const given = listFound(text, "signature").slice(0, MOST_SIGNATURES);
      if (given.length === 0) return "header";
      const found = given.map((one) => Buffer.from(one, encoding));
      if (!hasEqual(found, toMacs(timestamp, body))) return "signature";
      const id = idHeader === undefined ? undefined : read(idHeader)?.slice(0, 256);
      // A time that is not signed proves nothing.
      return { id, timestamp: isTimed ? timestamp : undefined };
    },
  };
}

function assertTemplates(
  { value = "{signature}", content = "{body}", timestampHeader }: HmacSignatureOptions,
  {
    parts,
    isTimed,
  }: { readonly parts: readonly (readonly string[] | undefined)[]; readonly isTimed: boolean },
): void {
  if (parts.includes(undefined) || !parts.some((part) => part?.[2] === "signature"))
    throw new TypeError(
      `Every part of \`value\` must end with {signature} or {timestamp}, found ${JSON.stringify(value)}`,
    );
  if (!/^[^{}]*(?:\{timestamp\}[^{}]*)?\{body\}$/.test(content))
    throw new TypeError(`\`content\` must end with {body}, found ${JSON.stringify(content)}`);
  if (isTimed && timestampHeader === undefined && !parts.some((part) => part?.[2] === "timestamp"))
    throw new TypeError("`content` signs {timestamp}: put it into `value`, or set `timestampHeader`");
}
