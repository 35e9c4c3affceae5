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
 * Generates an API key: `petstore_`, 43 random base62 characters (256 bits), and the CRC32 of all of these in 6 characters.
 * Secret scanners find a leaked key by its prefix. The checksum rejects mistyped keys without a query.
 * @see https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function generateKey(): string {
  const body = PREFIX + randomBase62(SECRET_LENGTH);
  return body + toChecksum(body);
}

/** Tests whether a text has the form and the checksum of a key. */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && toChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Tests whether a text resembles a key, perhaps a mistyped one. Such text must not be printed. */
export function resemblesKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The start of a key. A shorter one may be shown: 15 known characters leave 160 random bits to guess. */
const KEY_START = new RegExp(`${PREFIX}[0-9A-Za-z]{16,}`, "gi");

/** A letter, a digit or an underscore that is percent-encoded once or several times. */
const ENCODED = /%(?:25)*(3\d|[46][1-9a-f]|[57][\da]|5f)/gi;

/**
 * Replaces everything that looks like a key, also when it is percent-encoded or cut. Other text is returned unchanged.
 * `/pets/petstore_8e03978e40d543e8` becomes `/pets/[redacted key]`.
 */
export function redactKeys(text: string): string {
  // Other characters stay encoded: they could break the line or the JSON around them.
  const decoded = text.includes("%")
    ? text.replace(ENCODED, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text;
  const redacted = decoded.replace(KEY_START, "[redacted key]");
  return redacted === decoded ? text : redacted;
}

/** Generates the public identifier of a key: `k_` and 10 random base62 characters. It is safe to log. */
export function generateKeyId(): string {
  return `k_${randomBase62(10)}`;
}

/**
 * Returns the SHA-256 of a key, which is stored instead of it. Salt and slow hashes are not needed, because 256 random bits
 * cannot be guessed.
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#lookupsecrets
 */
export function toKeyHash(key: string): Uint8Array {
  // `Buffer.from` takes small buffers from a pool. `hash` allocates its own, which takes longer than hashing.
  return Buffer.from(hash("sha256", key, "binary"), "latin1");
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
