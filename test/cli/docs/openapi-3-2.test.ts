import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { toText } from "../../support/html-text.js";
import { renderPages } from "./rendered.js";

test("the page has what OpenAPI 3.2 added: methods, the whole query string, streams, media types of components", () => {
  const url = new URL("../../fixtures/openapi-3-2/generated/contract.json", import.meta.url);
  const document = JSON.parse(readFileSync(url, "utf8")) as object;
  const { "index.html": page = "" } = renderPages(document);
  const text = toText(page);
  for (const shown of ["QUERY", "REPORT", "COPY", "Search the catalog", "Copy a book", "Query string"])
    expect(text).toContain(shown);
  expect(text).toContain("A stream of");
  // The summary of a response without a description.
  expect(text).toContain("The shelf");
});
