import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { annotateAt } from "./annotate-at.js";

test("Redoc gets OpenAPI 3.1, and a list of the operations that it cannot show", () => {
  const url = new URL("../../fixtures/openapi-3-2/generated/contract.json", import.meta.url);
  const shown = annotateAt(JSON.parse(readFileSync(url, "utf8")) as object, 0);
  expect(shown).toMatchObject({
    openapi: "3.1.0",
    info: {
      description: `The [console](try.html) has these operations, which this page cannot show:

- \`QUERY /books\` Search the catalog
- \`REPORT /books\`
- \`COPY /books/{isbn}\` Copy a book`,
    },
    paths: {
      "/loans": {
        get: { parameters: [{ in: "query", description: "**The whole query string.**" }, {}, {}] },
      },
      "/shelves": { post: { responses: { "200": { description: "The shelf" } } } },
    },
  });
  expect(JSON.stringify(shown)).not.toContain("#/components/mediaTypes/");
});
