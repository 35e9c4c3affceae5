import { describe, expect, test } from "@jest/globals";
import {
  generateKey,
  generateKeyId,
  isWellFormedKey,
  redactKeys,
  toKeyHash,
} from "../../../src/petstore/keys/key.js";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("generateKey", () => {
  test("gives the prefix, 43 random characters and a checksum", () => {
    const keys = Array.from({ length: 100 }, generateKey);
    for (const key of keys) {
      expect(key).toMatch(/^petstore_[0-9A-Za-z]{49}$/);
      expect(isWellFormedKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("isWellFormedKey", () => {
  test("the format never changes: keys already issued must stay valid", () => {
    // CRC32 of the 52 characters before it, computed with another implementation, in base62.
    expect(isWellFormedKey(`petstore_${"0".repeat(43)}2hcngJ`)).toBe(true);
  });

  test("finds every typo in one character", () => {
    const key = generateKey();
    for (let i = "petstore_".length; i < key.length; i++) {
      for (const letter of ALPHABET.replace(key.charAt(i), "")) {
        expect(isWellFormedKey(key.slice(0, i) + letter + key.slice(i + 1))).toBe(false);
      }
    }
  });

  test.each([
    ["two characters swapped", (key: string) => key.replace(/(?<=_.*)(.)(?!\1)(.)/, "$2$1")],
    ["upper case", (key: string) => key.toUpperCase()],
    ["one character less", (key: string) => key.slice(0, -1)],
    ["one character more", (key: string) => `${key}0`],
    ["a newline at the end", (key: string) => `${key}\n`],
    ["another prefix", (key: string) => key.replace("petstore_", "petshops_")],
    ["nothing", () => ""],
  ])("refuses %s", (_, change) => {
    expect(isWellFormedKey(change(generateKey()))).toBe(false);
  });
});

describe("redactKeys", () => {
  const key = `petstore_${"aZ0".repeat(16)}b`;

  test.each([
    [key, "[redacted key]"],
    [`{"a":"${key}","b":"x${key}."}`, '{"a":"[redacted key]","b":"x[redacted key]."}'],
    [key.toUpperCase(), "[redacted key]"],
    [key.slice(0, 25), "[redacted key]"],
    [`${key}longer`, "[redacted key]"],
    [`%22%0a${key.replace("_", "%5F")}`, "%22%0a[redacted key]"],
    [`/%252570${key.slice(1)}`, "/[redacted key]"],
  ])("replaces the key in %j", (text, redacted) => {
    expect(redactKeys(text)).toBe(redacted);
  });

  test.each(["petstore_production", "petstore_requests_total", "/v1/%70ets?a=%41", "k_0123456789", ""])(
    "returns %j unchanged",
    (text) => {
      expect(redactKeys(text)).toBe(text);
    },
  );
});

test("generateKeyId: gives k_ and 10 base62 characters", () => {
  expect(generateKeyId()).toMatch(/^k_[0-9A-Za-z]{10}$/);
  expect(generateKeyId()).not.toBe(generateKeyId());
});

test("toKeyHash: is SHA-256", () => {
  expect(Buffer.from(toKeyHash("abc")).toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
