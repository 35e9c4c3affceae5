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

interface Parameters {
  readonly parameters: readonly Parameter[];
}

/** Lists the parameters of an operation by their places. */
export function listByPlace({ parameters }: Parameters) {
  return (["path", "query", "querystring", "header", "cookie"] as const).flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return own.length === 0 ? [] : [{ place, title: NAMES[place], own }];
  });
}

/** Renders the parameters of an operation, by their places. */
export function renderParameters(operation: Parameters, owner: string, view: SchemaView): readonly Html[] {
  return listByPlace(operation).map(
    ({ place, title, own }) =>
      html`<h4>${title}</h4>
        <ul class="members">
          ${own.map((parameter) => renderParameter(parameter, `${owner}/${place}/${parameter.name}`, view))}
        </ul> `,
  );
}

/** Returns the example of a parameter as text. */
export function toExampleText({ examples: [example] }: Parameter): string | undefined {
  return typeof example?.value === "string" ? example.value : JSON.stringify(example?.value);
}

/** Styles of arrays and objects that callers would not expect. */
const UNUSUAL_STYLE = /^(?:deepObject|pipeDelimited|spaceDelimited|label|matrix)$/;

/** Returns what a caller has to know of how a parameter is written: its media type, or a style that is unusual. */
export function findFormat({ style, mediaType }: Parameter): string | undefined {
  return UNUSUAL_STYLE.test(style) ? style : mediaType;
}

function renderParameter(parameter: Parameter, id: string, view: SchemaView): Html {
  const { name, required, schema, description, lifecycle } = parameter;
  const contents = renderContents(schema, view);
  const example = toExampleText(parameter);
  const format = findFormat(parameter);
  const marks = html`${format !== undefined && html` <span class="mark">${format}</span>`}`;
  const inner = html`${example !== undefined && html`<p>Example: <code>${example}</code></p> `}${
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
