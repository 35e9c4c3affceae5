import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "petstore_";
/** 62^43 is just above 2^256. */
const SECRET_LENGTH = 43;
/** 62^6 is above 2^32. */
const CHECKSUM_LENGTH = 6;

const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * A new API key: `petstore_`, 43 random base62 characters (256 bits) and 6 of the CRC32 of all before them.
 * The prefix lets secret scanners find a leaked key; the checksum tells a typo from an unknown key without a look-up.
 * @see https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function generateKey(): string {
  const body = PREFIX + randomBase62(SECRET_LENGTH);
  return body + toChecksum(body);
}

/** Could {@link generateKey} have made this text? */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && toChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Does this text look like a key, even a mistyped one? What does must not be printed. */
export function resemblesKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** A new public identifier of a key, `k_` and 10 random base62 characters; safe to log. */
export function generateKeyId(): string {
  return `k_${randomBase62(10)}`;
}

/**
 * SHA-256 of a key, all that is stored of it. Neither salt nor a slow hash is needed: 256 random bits cannot be guessed.
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#lookupsecrets
 */
export function toKeyHash(key: string): Uint8Array {
  return hash("sha256", key, "buffer");
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

function toChecksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
