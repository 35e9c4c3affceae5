import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { generateKey, toKeyHash } from "../../../src/petstore/keys/key.js";
import { Keys } from "../../../src/petstore/keys/keys.js";
import type { KeyStore } from "../../../src/petstore/store/store.js";

const key = generateKey();

/** Keys of a store that finds the same row whatever it is asked for: as if the look-up compared nothing. */
function keysWith(hash: Uint8Array): Keys {
  const found = { id: "k_1", name: "x", createdAt: new Date(), hash };
  return new Keys({ findByHash: () => Promise.resolve(found) } as unknown as KeyStore);
}

describe("the comparison of hashes", () => {
  test("looks at every bit: a hash that differs in any single one is refused", async () => {
    expect(await keysWith(toKeyHash(key)).authenticateKey(key)).toMatchObject({ id: "k_1" });
    for (let bit = 0; bit < 256; bit++) {
      const hash = Uint8Array.from(toKeyHash(key));
      hash[bit >> 3] = (hash[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect([bit, await keysWith(hash).authenticateKey(key)]).toStrictEqual([bit, undefined]);
    }
  });

  // Whether a comparison ends early cannot be seen from outside without measuring time, which proves nothing on a shared
  // machine. `timingSafeEqual` is documented not to, so it must be the only thing that looks into a hash.
  test("is timingSafeEqual, and nothing else looks into a hash", () => {
    const file = "src/petstore/keys/keys.ts";
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    const uses: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && node.text === "hash" && !ts.isPropertyAssignment(node.parent)) {
        const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
        const used = isMember ? node.parent : node;
        if (ts.isCallExpression(used.parent)) uses.push(used.parent.expression.getText());
        else if (!ts.isVariableDeclaration(used.parent)) uses.push(used.parent.getText());
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    expect([...new Set(uses)].sort()).toStrictEqual(["this.#store.findByHash", "timingSafeEqual"]);
  });
});
