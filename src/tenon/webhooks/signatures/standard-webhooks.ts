import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import {
  hasEqual,
  isMessageId,
  MOST_SIGNATURES,
  readTimestamp,
  type SignatureScheme,
  type SignedMessage,
  toSecrets,
} from "./signature.js";

/** A key of the scheme: makes and checks the signatures of one version. */
interface Key {
  readonly version: "v1" | "v1a";
  /** Undefined for a public key, which only verifies. */
  readonly sign?: (content: Uint8Array) => Uint8Array;
  readonly verify: (content: Uint8Array, signatures: readonly Uint8Array[]) => boolean;
}

/**
 * Creates the signature scheme of Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 * @param secrets Secrets `whsec_…` of at least 24 bytes in Base64, which sign with HMAC-SHA256 (`v1`). For Ed25519 (`v1a`), the
 *   private key `whsk_…` of the sender or the public key `whpk_…` of its receivers. A sender signs with each secret, and a receiver
 *   accepts any of them: to rotate, add the new one, and remove the old one when both sides have it.
 * @throws {TypeError} for an invalid secret; the message does not contain it.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @example
 * const current = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
 * const next = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
 * const signature = standardWebhooks([next, current]);
 */
export function standardWebhooks(secrets: string | readonly string[]): SignatureScheme {
  const keys = toSecrets(secrets).map(toKey);
  return {
    headers: ["webhook-id", "webhook-timestamp", "webhook-signature"],
    sign: (message) => {
      const content = toContent(message);
      const signatures = keys.flatMap((key) =>
        key.sign ? [`${key.version},${Buffer.from(key.sign(content)).toString("base64")}`] : [],
      );
      if (signatures.length === 0)
        throw new TypeError("A public key cannot sign; use the private key whsk_…");
      return {
        "webhook-id": message.id,
        "webhook-timestamp": String(message.timestamp),
        "webhook-signature": signatures.join(" "),
      };
    },
    verify: ({ body, header }) => {
      const id = header("webhook-id");
      const timestamp = readTimestamp(header("webhook-timestamp"));
      const signatures = (header("webhook-signature") ?? "").split(" ").slice(0, MOST_SIGNATURES);
      if (!isMessageId(id) || timestamp === undefined || signatures[0] === "") return "header";
      const content = toContent({ id, timestamp, body });
      let isValid = false;
      for (const key of keys) {
        const own = signatures.flatMap((text) =>
          text.startsWith(`${key.version},`)
            ? [Buffer.from(text.slice(key.version.length + 1), "base64")]
            : [],
        );
        if (key.verify(content, own)) isValid = true;
      }
      return isValid ? { id, timestamp } : "signature";
    },
  };
}

function toContent({ id, timestamp, body }: SignedMessage): Buffer {
  if (!isMessageId(id))
    throw new TypeError(
      `The id of a webhook must be 1 to 256 visible ASCII characters without a dot, found ${JSON.stringify(id)}`,
    );
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}

/** Bytes before a private key in PKCS #8, and before a public key in SPKI (RFC 8410). */
const PRIVATE = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;

function toKey(text: string): Key {
  const [, prefix = "whsec_", base64 = ""] = /^(wh(?:sec|sk|pk)_)?([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, "base64");
  if (prefix === "whsec_") {
    if (bytes.byteLength < 24)
      throw new TypeError("A secret must be whsec_ and at least 24 bytes in Base64; this one is not");
    const toMac = (content: Uint8Array) => createHmac("sha256", bytes).update(content).digest();
    return {
      version: "v1",
      sign: toMac,
      verify: (content, signatures) => hasEqual(signatures, [toMac(content)]),
    };
  }
  // A private key is 32 bytes, usually followed by the 32 bytes of the public one.
  if (bytes.byteLength !== KEY_BYTES && !(prefix === "whsk_" && bytes.byteLength === 2 * KEY_BYTES))
    throw new TypeError(`A key ${prefix} must be 32 bytes in Base64; this one is not`);
  const own = bytes.subarray(0, KEY_BYTES);
  if (prefix === "whpk_") return toVerifier(createKey(createPublicKey, PUBLIC, own));
  const privateKey = createKey(createPrivateKey, PRIVATE, own);
  return {
    ...toVerifier(createPublicKey(privateKey)),
    // Ed25519 chooses its own digest.
    sign: (content) => sign(null, content, privateKey),
  };
}

function toVerifier(key: KeyObject): Key {
  return {
    version: "v1a",
    verify: (content, signatures) => signatures.some((signature) => verify(null, content, key, signature)),
  };
}

function createKey(
  create: typeof createPrivateKey | typeof createPublicKey,
  head: Buffer,
  key: Buffer,
): KeyObject {
  const type = create === createPrivateKey ? "pkcs8" : "spki";
  return create({ key: Buffer.concat([head, key]), format: "der", type } as never);
}
