import type { Parameter } from "tenon/core/model";
import type { SchemaView } from "../../values/index.js";
import { type Html, html } from "./html.js";
import { toIdPart } from "./ids.js";
import { renderContents, renderNamed } from "./schema/tree.js";

const NAMES = {
  path: "Path parameters",
  query: "Query parameters",
  querystring: "Query string",
  header: "Headers",
  cookie: "Cookies",
} as const;

/** Renders the parameters of an operation, by their places. */
export function renderParameters(
  { parameters }: { readonly parameters: readonly Parameter[] },
  owner: string,
  view: SchemaView,
): readonly Html[] {
  return (["path", "query", "querystring", "header", "cookie"] as const).flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    return [
      html`<h4>${NAMES[place]}</h4>
        <ul class="members">
          ${own.map((parameter) => renderParameter(parameter, `${owner}/${place}/${parameter.name}`, view))}
        </ul> `,
    ];
  });
}

/** Styles of arrays and objects that callers would not expect. */
const UNUSUAL_STYLE = /^(?:deepObject|pipeDelimited|spaceDelimited|label|matrix)$/;

function renderParameter(parameter: Parameter, id: string, view: SchemaView): Html {
  const { name, required, schema, description, lifecycle, mediaType, examples } = parameter;
  const contents = renderContents(schema, view);
  const [example] = examples;
  const text = typeof example?.value === "string" ? example.value : JSON.stringify(example?.value);
  const style = UNUSUAL_STYLE.test(parameter.style ?? "") ? parameter.style : mediaType;
  const marks = html`${style !== undefined && html` <span class="mark">${style}</span>`}`;
  const inner = html`${example !== undefined && html`<p>Example: <code>${text}</code></p> `}${
    contents.text !== "" &&
    html`<details class="fold">
      <summary>Schema</summary>
      ${contents}
    </details> `
  }`;
  const title = html`<code class="name">${name}</code>`;
  const line = { name: title, required: required && "required", marks, inner } as const;
  return html`<li id="${toIdPart(id)}">${renderNamed({ schema, description, lifecycle, ...line }, view)}</li> `;
}
