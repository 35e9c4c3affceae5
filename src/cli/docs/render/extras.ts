import { getByPointer, isNode, toArray, toNode, toText } from "tenon/core/document";
import type { Link, Operation, Placed } from "tenon/core/model";
import type { RenderContext } from "./context.js";
import { type Html, html, linkTo } from "./html.js";
import { toOperationId } from "./ids.js";
import { renderMarkdown } from "./markdown.js";

/** Other addresses could be scripts. */
export function isWebAddress(url: unknown): url is string {
  return typeof url === "string" && /^https?:\/\//i.test(url);
}

/** Renders the `externalDocs` of the document, a tag, an operation or a schema. */
export function renderExternalDocs({ pointer }: Placed, { document }: RenderContext): Html | undefined {
  const { url, description } = toNode(getByPointer(document, `${pointer}/externalDocs`));
  if (!isWebAddress(url)) return undefined;
  return html`<a class="more" href="${url}">${toText(description) ?? "More documentation"}</a> `;
}

/**
 * Renders the tags of kind `badge` and the `x-badges` of an operation. Colours are not shown: their contrast is unknown.
 * @see https://redocly.com/docs/realm/content/api-docs/openapi-extensions/x-badges
 */
export function renderOwnBadges(
  { pointer, tags }: Operation,
  { document, contract }: RenderContext,
): readonly Html[] {
  const own = contract.tags.filter(({ name, kind }) => kind === "badge" && tags.includes(name));
  const badges = toArray(toNode(getByPointer(document, pointer))["x-badges"]);
  const names = badges.flatMap((badge) => toText(isNode(badge) ? badge["name"] : badge) ?? []);
  return [...own.map(({ name, displayName = name }) => displayName), ...names].map(
    (name) => html` <span class="mark badge">${name}</span>`,
  );
}

/** Renders the links of a response: what can be called next, with which of its values. */
export function renderLinks(links: readonly Link[], { contract, document }: RenderContext): Html | undefined {
  if (links.length === 0) return undefined;
  return html`<p class="note">Links</p>
    <ul class="values">
      ${links.map((link) => {
        const { name, operationId, parameters } = link;
        const isKnown = contract.operations.some(({ id }) => id === operationId);
        const target = html`<code>${operationId}</code>`;
        const given = Object.entries(parameters).map(
          ([parameter, expression]) => html` <code>${parameter}</code> from <code>${expression}</code>`,
        );
        return html`<li>
          ${name}: ${isKnown ? html`<a href="${linkTo(toOperationId({ id: operationId }))}">${target}</a>` : target}${given.length > 0 && html` with${given}`}
          ${renderMarkdown(toText(toNode(getByPointer(document, link.pointer))["description"]), { below: 5 })}
        </li> `;
      })}
    </ul> `;
}
