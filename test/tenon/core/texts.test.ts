import { expect, test } from "@jest/globals";
import { collectTexts } from "../../../src/tenon/core/document/texts.js";

test("texts are titles, summaries and descriptions, and no data", () => {
  const document = {
    info: { title: "Pets", description: " All of them. " },
    paths: { "/a": { get: { summary: "List", description: "List" } } },
    components: {
      schemas: {
        A: {
          properties: { default: { title: "A property" } },
          examples: [{ title: "data" }],
          enum: [{ title: "data" }],
        },
      },
    },
  };
  expect([...collectTexts(document)].sort()).toEqual(["A property", "All of them.", "List", "Pets"]);
});
