import { describe, expect, test } from "@jest/globals";
import {
  findReferenceCircles,
  findVersionProblem,
  listReferences,
  nameMappings,
} from "../../../src/tenon/core/document/index.js";

describe("references of a file", () => {
  test("are listed once for each target, without those in data", () => {
    const parsed = {
      components: {
        schemas: {
          A: { $ref: "#/B", default: { $ref: "#/data" }, enum: [{ $ref: "#/data" }] },
          default: { items: [{ $ref: "#/B" }, { $ref: "c.yaml#/C" }] },
        },
      },
    };
    expect(listReferences({ parsed }).map(({ reference }) => reference)).toEqual(["#/B", "c.yaml#/C"]);
  });

  test("a property that is called $ref is none", () => {
    expect(listReferences({ parsed: { properties: { $ref: "#/A" } } })).toEqual([]);
  });

  test("those of a circle are found through files, and no others", () => {
    const files = {
      "a.yaml": { parsed: { A: { $ref: "b.yaml#/B" }, C: { items: { $ref: "#/C" } }, D: { $ref: "#/A" } } },
      "b.yaml": { parsed: { B: { $ref: "a.yaml#/A" } } },
    };
    const references = Object.values(files).flatMap((file) => listReferences(file));
    const circles = findReferenceCircles(references, (path) => files[path as keyof typeof files]);
    expect(circles.map(({ reference }) => reference).sort()).toEqual(["a.yaml#/A", "b.yaml#/B"]);
  });

  test("a chain of references is followed once, and ends without a circle", () => {
    const COUNT = 20_000;
    const entries = Array.from({ length: COUNT }, (_, number): [string, object] => [
      `S${number}`,
      { $ref: `#/S${number + 1}` },
    ]);
    const parsed = Object.fromEntries([...entries, [`S${COUNT}`, { type: "string" }]]);
    expect(findReferenceCircles(listReferences({ parsed }), () => undefined)).toEqual([]);
  });
});

test("a mapping by a bare name becomes a reference, when the document has the component", () => {
  const mapping = { cat: "Cat", dog: "dog.yaml" };
  nameMappings({ components: { schemas: { Cat: {}, Pet: { discriminator: { mapping } } } } });
  expect(mapping).toEqual({ cat: "#/components/schemas/Cat", dog: "dog.yaml" });
});

test.each<[unknown, string | undefined]>([
  [{ openapi: "3.0.3" }, undefined],
  [{ openapi: "3.1.1" }, undefined],
  [{ openapi: "3.2.0" }, undefined],
  [{ openapi: "3.3.0" }, '#/openapi "openapi: 3.3.0"'],
  [{ openapi: 3.1 }, '#/openapi "openapi: 3.1"; write it in quotes, with all three parts'],
  [{ swagger: 2 }, "#/swagger Swagger 2.0"],
  [{ asyncapi: "3.0.0" }, "#/openapi AsyncAPI"],
  [{}, "#/openapi no `openapi`"],
  [null, "#/openapi an empty file"],
  ["text", "#/openapi no object"],
])("the version of %j", (document, want) => {
  const problem = findVersionProblem(document);
  const found = problem && `${problem.pointer} ${problem.message.replace(/^.*, found /, "")}`;
  expect(found).toBe(want);
});
