import { describe, expect, test } from "@jest/globals";
import { generateKey, generateKeyId, isWellFormedKey, toKeyHash } from "../../../src/petstore/keys/key.js";

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

test("generateKeyId: gives k_ and 10 base62 characters", () => {
  expect(generateKeyId()).toMatch(/^k_[0-9A-Za-z]{10}$/);
  expect(generateKeyId()).not.toBe(generateKeyId());
});

test("toKeyHash: is SHA-256", () => {
  expect(Buffer.from(toKeyHash("abc")).toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
