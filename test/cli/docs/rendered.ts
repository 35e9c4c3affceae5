import { createDocsSite, type SiteOptions } from "../../../src/cli/docs/index.js";
import { findElements, toText } from "../../support/html-text.js";

const BASE = { openapi: "3.1.0", info: { title: "Pets", version: "1.2.3" }, paths: {} };

/** The pages of a contract by file. */
export function renderPages(document: object, options?: SiteOptions): Readonly<Record<string, string>> {
  const files = createDocsSite({ ...BASE, ...document }, options);
  return Object.fromEntries(
    files.filter(({ name }) => name.endsWith(".html")).map(({ name, text }) => [name, text]),
  );
}

/** The HTML of a part of the only page, by its id: `operation/getPet`. */
export function renderPart(document: object, id: string, options?: SiteOptions): string {
  const { "index.html": page = "" } = renderPages(document, options);
  const [part] = findElements(page, new RegExp(`\\sid="${id}"`));
  if (part === undefined) throw new Error(`The page has no part "${id}"`);
  return part;
}

/** The HTML of the only operation, `GET /`. */
export function renderOperation(operation: object, root: object = {}, now = 0): string {
  const get = { operationId: "only", responses: {}, ...operation };
  return renderPart({ ...root, paths: { "/": { get } } }, "operation/only", { now });
}

/** The texts of the elements of a class. */
export function readTexts(markup: string, name: string): readonly string[] {
  return findElements(markup, new RegExp(`class="(?:[^"]* )?${name}[ "]`)).map(toText);
}
