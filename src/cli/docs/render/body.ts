import type { MediaType, RequestBody } from "tenon/core/model";
import type { SchemaView } from "../../values/index.js";
import { type Html, html } from "./html.js";
import { renderMarkdown } from "./markdown.js";
import { renderSchema } from "./schema/tree.js";
import { renderTabs } from "./tabs.js";

export function renderRequestBody(body: RequestBody | undefined, view: SchemaView): Html | undefined {
  if (body === undefined) return undefined;
  return html`<h4>Request body${body.required && html` <span class="mark required">required</span>`}</h4>
    ${renderMarkdown(body.description, { below: 4 })}${renderContent(body.mediaTypes, view)}`;
}

/** Renders the schemas of a body, one for each media type. */
export function renderContent(mediaTypes: readonly MediaType[], view: SchemaView): Html | undefined {
  if (mediaTypes.length === 0) return undefined;
  const panels = mediaTypes.map((mediaType) => ({
    label: mediaType.name,
    content: html`${mediaTypes.length === 1 && html`<p class="note"><code>${mediaType.name}</code></p> `}${renderMediaType(mediaType, view)}`,
  }));
  return renderTabs(panels, { name: "Media type" });
}

function renderMediaType({ schema, items }: MediaType, view: SchemaView): Html | undefined {
  if (items !== undefined) {
    const what = items.format === "events" ? "events" : "items";
    return html`<p class="note">A stream of ${what}. Each is:</p>
      ${renderSchema(items.schema, view)}`;
  }
  return schema && renderSchema(schema, view);
}
