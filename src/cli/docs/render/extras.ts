import { getByPointer, isNode, type Placed, toArray, toNode, toText } from "tenon/core/document";
import type { Link, Operation } from "tenon/core/model";
import type { RenderContext } from "./context.js";
import { code, type Phrase, phrase } from "../texts/phrase.js";
import { type Html, html, renderPhrase } from "./html.js";
import { toOperationId } from "./ids.js";
import { renderMarkdown } from "./markdown.js";

/** Other addresses could be scripts. */
export function isWebAddress(url: unknown): url is string {
  return typeof url === "string" && /^https?:\/\//i.test(url);
}

/** A link to another site. */
export interface WebLink {
  readonly text: string;
  readonly href: string;
}

/** Reads the `externalDocs` of the document, a tag, an operation or a schema. */
export function readExternalDocs({ pointer }: Placed, { document }: RenderContext): WebLink | undefined {
  const { url, description } = toNode(getByPointer(document, `${pointer}/externalDocs`));
  return isWebAddress(url) ? { text: toText(description) ?? "More documentation", href: url } : undefined;
}

export function renderExternalDocs(place: Placed, context: RenderContext): Html | undefined {
  const link = readExternalDocs(place, context);
  return link && html`<a class="more" href="${link.href}">${link.text}</a> `;
}

/**
 * Lists the tags of kind `badge` and the `x-badges` of an operation. Colours are not shown: their contrast is unknown.
 * @see https://redocly.com/docs/realm/content/api-docs/openapi-extensions/x-badges
 */
export function listOwnBadges(
  { pointer, tags }: Operation,
  { document, contract }: RenderContext,
): readonly string[] {
  const own = contract.tags.filter(({ name, kind }) => kind === "badge" && tags.includes(name));
  const badges = toArray(toNode(getByPointer(document, pointer))["x-badges"]);
  const names = badges.flatMap((badge) => toText(isNode(badge) ? badge["name"] : badge) ?? []);
  return [...own.map(({ name, displayName = name }) => displayName), ...names];
}

/** Lists the links of a response: the operation that can be called next, with which of its values. */
export function listResponseLinks(links: readonly Link[], { contract, document }: RenderContext) {
  return links.map(({ name, operationId, parameters, pointer }) => {
    const isKnown = contract.operations.some(({ id }) => id === operationId);
    const target = code(operationId, isKnown ? toOperationId({ id: operationId }) : undefined);
    const given = Object.entries(parameters).map(
      ([parameter, expression]) => phrase` ${code(parameter)} from ${code(expression)}`,
    );
    const text: Phrase = phrase`${name}: ${target}${given.length > 0 ? [" with", ...given.flat()] : []}`;
    return { text, description: toText(toNode(getByPointer(document, pointer))["description"]) };
  });
}

export function renderLinks(links: readonly Link[], context: RenderContext): Html | undefined {
  if (links.length === 0) return undefined;
  return html`<p class="note">Links</p>
    <ul class="values">
      ${listResponseLinks(links, context).map(
        ({ text, description }) =>
          html`<li>${renderPhrase(text)} ${renderMarkdown(description, { below: 5 })}</li> `,
      )}
    </ul> `;
}
