import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readTexts, renderPages } from "./rendered.js";

test("the pages show what OpenAPI 3.2 adds", () => {
  const url = new URL("../../fixtures/openapi-3-2/generated/contract.json", import.meta.url);
  const { "index.html": page = "" } = renderPages(JSON.parse(readFileSync(url, "utf8")) as object);
  const addresses = readTexts(page, "address").map((text) => text.replaceAll(/\s+/g, " ").trim());
  expect(addresses).toEqual(
    expect.arrayContaining(["QUERY /v1/books", "REPORT /v1/books", "COPY /v1/books/{isbn}"]),
  );
  expect(page).toContain("<h4>Query string</h4>");
  // The summary of a response without a description.
  expect(readTexts(page, "status").length).toBeGreaterThan(0);
  expect(page).toContain("The shelf");
});
