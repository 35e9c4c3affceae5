import { STATUS_CODES } from "node:http";
import { isNode } from "tenon/core/document";
import { type ItemFormat, toEssence, toMediaKind } from "tenon/core/http";
import type {
  Example,
  Items,
  MediaType,
  Operation,
  RequestBody,
  Response,
  ResponseHeader,
} from "tenon/core/model";
import { listErrorCodes } from "../texts/error-codes.js";
import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "../../values/index.js";
import type { RenderContext } from "./context.js";
import { MAX_EXAMPLES } from "../samples/sample-request.js";
import type { SampleValues } from "../samples/sample-values.js";
import { remember } from "../remember.js";
import { renderCode } from "./code.js";
import { renderLinks } from "./extras.js";
import { Html, html, toPlainText } from "./html.js";
import { renderMarkdown } from "./markdown.js";
import { renderNamed, renderSchema } from "./schema/tree.js";
import { type Panel, renderTabs } from "./tabs.js";

/** Renders the responses of an operation. Errors are folded: most have one body. */
export function renderResponses(
  { responses }: Pick<Operation, "responses">,
  owner: string,
  context: RenderContext,
): Html | undefined {
  if (responses.length === 0) return undefined;
  return html`<h4>Responses</h4>
    ${responses.map((response) => renderResponse(response, `${owner}/${response.status}`, context))}`;
}

function renderResponse(response: Response, id: string, context: RenderContext): Html {
  const { status, summary, description = summary, headers, mediaTypes, links } = response;
  const codes = listErrorCodes(response, context.contract.registry);
  const [first = "", ...others] = (description ?? "").trim().split(/\n\s*\n/);
  const inline = renderInline(first);
  // The line that unfolds a response must not have links or lists.
  const isPlain = !/<(?:a|div|ul|ol|pre|h\d|input)[ >]/.test(inline.text);
  const rest = isPlain ? others : [first, ...others];
  return html`<details class="response ${toKind(status)}" id="${id}" ${isSuccess(status) && html` open`}>
    <summary>
      <span class="status">${toTitle(status)}</span>
      ${isPlain ? inline : html`<span class="short">${toPlainText(inline)}</span>`}${codes.length > 0 && html` ${codes.map(({ code }) => html`<code>${code}</code> `)}`}
    </summary>
    ${renderMarkdown(rest.join("\n\n"), { below: 4 })}${renderMeanings(codes)}${headers.length > 0 && renderHeaders(headers, context.response)}${renderContent(mediaTypes, context.response)}${renderLinks(links, context)}
  </details> `;
}

/** Renders the first paragraph of a text without its element: it is part of a line. */
function renderInline(text: string): Html {
  const rendered = renderMarkdown(text, { below: 4 }) ?? html``;
  const [, inner] = /^<p(?: class="decision")?>([^]*)<\/p>\s$/.exec(rendered.text) ?? [];
  return inner === undefined || inner.includes("<p") ? rendered : new Html(inner);
}

function renderMeanings(codes: ReturnType<typeof listErrorCodes>): Html | undefined {
  const meant = codes.filter(({ meaning }) => meaning !== undefined);
  if (meant.length === 0) return undefined;
  return html`<ul class="values">
    ${meant.map(({ code, meaning }) => html`<li><code>${code}</code> ${meaning}</li> `)}
  </ul> `;
}

function renderHeaders(headers: readonly ResponseHeader[], view: SchemaView): Html {
  return html`<details class="fold">
    <summary>${headers.length === 1 ? "1 header" : `${headers.length} headers`}</summary>
    <ul class="members">
      ${headers.map(({ name, required, ...header }) => {
        const title = html`<code class="name">${name}</code>`;
        const value = { ...header, name: title, required: required && "always" };
        return html`<li>${renderNamed(value, view)}</li> `;
      })}
    </ul>
  </details> `;
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

function toKind(status: string): string {
  return isSuccess(status) ? "success" : status.startsWith("3") ? "redirect" : "error";
}

export function toTitle(status: string): string {
  const name = STATUS_CODES[status];
  return name === undefined ? status : `${status} ${name}`;
}

export function renderRequestBody(body: RequestBody | undefined, view: SchemaView): Html | undefined {
  if (body === undefined) return undefined;
  return html`<h4>Request body${body.required && html` <span class="mark required">required</span>`}</h4>
    ${renderMarkdown(body.description, { below: 4 })}${renderContent(body.mediaTypes, view)}`;
}

/** Renders the schemas of a body, one for each media type. */
function renderContent(mediaTypes: readonly MediaType[], view: SchemaView): Html | undefined {
  if (mediaTypes.length === 0) return undefined;
  const panels = mediaTypes.map((mediaType) => ({
    label: mediaType.name,
    content: renderMediaType(mediaType, view, mediaTypes.length === 1),
  }));
  return renderTabs(panels, { name: "Media type" });
}

function renderMediaType({ name, schema, items }: MediaType, view: SchemaView, isOnly: boolean): Html {
  const own = items?.schema ?? schema;
  const before = html`${isOnly && html`<code>${name}</code>`}${items !== undefined && html` ${introduceItems(items)}`}`;
  return own === undefined ? html`<p class="note">${before}</p> ` : renderSchema(own, view, { before });
}

/** Introduces the schema of the items of a stream. */
export function introduceItems({ format }: Items): string {
  return `A stream of ${format === "events" ? "events" : "items"}. Each is:`;
}

/** Renders examples of the responses' bodies: a tab for each status, in it one for each media type and example. */
export function renderExamples(
  { responses }: Pick<Operation, "responses">,
  { values }: RenderContext,
): Html | undefined {
  const panels = responses.flatMap(({ status, mediaTypes }): readonly Panel[] => {
    const content = renderMediaExamples(mediaTypes, values);
    return content === undefined ? [] : [{ label: status, kind: toKind(status), content }];
  });
  if (panels.length === 0) return undefined;
  return html`<div class="examples">
    <p class="heading">Response</p>
    ${renderTabs(panels, { name: "Status", group: "" })}
  </div> `;
}

/**
 * Renders the author's examples of a request's body by name.
 * @param inSamples Those that samples of code have. Default: none.
 */
export function renderBodyExamples(
  body: RequestBody | undefined,
  { values }: RenderContext,
  inSamples: readonly Example[] = [],
): Html | undefined {
  const mediaTypes = (body?.mediaTypes ?? [])
    .map((mediaType) => ({
      ...mediaType,
      examples: mediaType.examples.filter((example) => !inSamples.includes(example)),
    }))
    .filter(hasExamples);
  if (mediaTypes.length === 0) return undefined;
  return html`<div class="examples">
    <p class="heading">Body</p>
    ${renderMediaExamples(mediaTypes, values)}
  </div> `;
}

function renderMediaExamples(mediaTypes: readonly MediaType[], values: SampleValues): Html | undefined {
  const panels = mediaTypes.flatMap((mediaType): readonly Panel[] => {
    const language = mediaType.items ? "json" : toLanguage(mediaType.name);
    const examples = listExamples(mediaType, values).map(({ name, description, text }) => ({
      label: name,
      content: html`${renderExampleText(description)}${text !== "" && renderCode(text, language)}`,
    }));
    if (examples.length === 0) return [];
    return [{ label: mediaType.name, content: renderTabs(examples, { name: "Example" }) }];
  });
  return panels.length === 0 ? undefined : renderTabs(panels, { name: "Media type" });
}

/** Renders the description of an example, above its code. */
export function renderExampleText(description: string | undefined): Html | undefined {
  const text = renderMarkdown(description, { below: 4 });
  return text && html`<div class="text">${text}</div> `;
}

const LANGUAGES = ["csv", "css", "html", "javascript", "markdown", "xml", "yaml"];

/** Returns the language of code of a media type: `application/problem+xml` is XML. Default: unknown. */
export function toLanguage(mediaType: string): string | undefined {
  if (toMediaKind(mediaType) === "json") return "json";
  const [, language = ""] = /[/+.-](\w+)$/.exec(toEssence(mediaType)) ?? [];
  return LANGUAGES.includes(language) ? language : undefined;
}

interface TextExample {
  readonly name: string;
  readonly description?: string | undefined;
  /** Empty for a value that is elsewhere, to which the description links. */
  readonly text: string;
}

/** Tests whether the author has given examples. */
export function hasExamples({ examples, externalExamples }: MediaType): boolean {
  return examples.length + externalExamples.length > 0;
}

/** The page and its Markdown have the same ones. */
const examplesOf = remember((values: SampleValues) =>
  remember((mediaType: MediaType) => makeExamples(mediaType, values)),
);

export function listExamples(mediaType: MediaType, values: SampleValues): readonly TextExample[] {
  return examplesOf(values)(mediaType);
}

function makeExamples(
  { name, examples, externalExamples, schema, items }: MediaType,
  values: SampleValues,
): readonly TextExample[] {
  const isJson = toMediaKind(name) === "json";
  const toText = (value: unknown) =>
    value === undefined ? "" : typeof value === "string" && !isJson ? value : JSON.stringify(value, null, 2);
  const given = [
    ...examples.map(({ value, ...example }) => ({ ...example, text: toText(value) })),
    ...externalExamples.map(({ url, description = "", ...example }) => ({
      ...example,
      description: `${description}\n\n<${url}>`.trim(),
      text: "",
    })),
  ];
  if (given.length > 0)
    return given
      .slice(0, MAX_EXAMPLES)
      .map(({ name, summary = name, ...example }) => ({ ...example, name: summary }));
  const own = items?.schema ?? schema;
  if (own === undefined || (items === undefined && !isJson)) return [];
  const made = listAlternatives(own, items)
    .map((schema) => values.make(schema, ""))
    .filter((value) => value !== undefined);
  if (made.length === 0) return [];
  const text =
    items === undefined
      ? toText(made[0])
      : made.map((value) => toItem(value, items.format)).join(items.format === "events" ? "\n\n" : "\n");
  return [{ name: "Example", text }];
}

/** A stream has an example of each kind of item, a body of the first kind. */
function listAlternatives(schema: Schema, items: MediaType["items"]): readonly Schema[] {
  return (items && (schema.oneOf ?? schema.anyOf)) ?? [schema];
}

/** Formats an item of a stream as it is sent, without U+001E before a record. */
function toItem(value: unknown, format: ItemFormat): string {
  const toLine = (member: unknown) => (typeof member === "string" ? member : JSON.stringify(member));
  if (format !== "events" || !isNode(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([field, member]) => `${field}: ${toLine(member)}`)
    .join("\n");
}
