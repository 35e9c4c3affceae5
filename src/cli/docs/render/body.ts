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
    content: renderMediaType(mediaType, view, mediaTypes.length === 1),
  }));
  return renderTabs(panels, { name: "Media type" });
}

function renderMediaType({ name, schema, items }: MediaType, view: SchemaView, isOnly: boolean): Html {
  const what = items && (items.format === "events" ? "events" : "items");
  const own = items?.schema ?? schema;
  const before = html`${isOnly && html`<code>${name}</code>`}${what !== undefined && html` A stream of ${what}; each is`}`;
  return own === undefined ? html`<p class="note">${before}</p> ` : renderSchema(own, view, { before });
}
