import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "../../../values/index.js";
import { listFacts } from "./facts.js";
import { type Html, html, join, linkTo } from "../html.js";
import { toSchemaId } from "../ids.js";
import { renderBadges } from "../lifecycle.js";
import { renderMarkdown } from "../markdown.js";
import { choosePlace, enter, isShown, type Place } from "./place.js";
import { findChoosing, readShape, type Shape } from "./shape.js";
import { renderTabs } from "../tabs.js";
import { listTypeParts } from "./type-parts.js";

/** More values are folded. */
const MAX_VALUES = 12;

/** Renders what a schema says: type, limits and members. */
export function renderSchema(schema: Schema, view: SchemaView, within: readonly string[] = []): Html {
  const shape = readShape(schema, view);
  const place = choosePlace(schema, view, within);
  return html`<div class="schema">
    ${!isPlainObject(shape) && html`<p class="line">${renderType(shape, view)}${renderMarks(shape)}</p> `}
    ${renderLimits(shape)}${renderInner(schema, shape, view, place, true)}
  </div> `;
}

/** Tests whether a type says no more than the members below it. */
function isPlainObject({ name, types, canBeNull, properties }: Shape): boolean {
  return name === undefined && types.join() === "object" && !canBeNull && properties.length > 0;
}

/** Renders the type of a value: `array of Pet`, `string (date) or null`. */
export function renderType(shape: Shape, view: SchemaView): Html {
  const parts = listTypeParts(shape, view).map(({ text, kind }) => {
    if (kind === "component") return html`<a href="${linkTo(toSchemaId(text))}">${text}</a>`;
    return kind === "format" ? html` <span class="format">${text}</span>` : html`${text}`;
  });
  return html`<span class="type">${parts}</span>`;
}

/** Marks of a value in its line: `read-only`. */
function renderMarks({ flat }: Shape): readonly Html[] {
  return flat.contentEncoding === undefined ? [] : [html` <span class="mark">${flat.contentEncoding}</span>`];
}

/** Renders the limits, the default and the values of a schema. */
export function renderLimits({ flat }: Shape): Html {
  const { enum: values, pattern, extensibleEnum, enumDescriptions = {} } = flat;
  const facts = [
    ...listFacts(flat).map((fact) => html`${fact}`),
    ...(pattern === undefined ? [] : [html`matches <code>${pattern}</code>`]),
    ...("default" in flat ? [html`default <code>${JSON.stringify(flat.default)}</code>`] : []),
  ];
  const known = values ?? extensibleEnum ?? [];
  return html`${facts.length > 0 && html`<p class="limits">${join(facts, " · ")}</p> `}${renderValues(known, enumDescriptions, values === undefined)}`;
}

function renderValues(
  values: readonly unknown[],
  descriptions: Readonly<Record<string, string>>,
  isOpen: boolean,
): Html | undefined {
  if (values.length === 0) return undefined;
  const toText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const described = values.some((value) => Object.hasOwn(descriptions, String(value)));
  const codes = values.map((value) => html`<code>${toText(value)}</code>`);
  const list = described
    ? html`<ul class="values">
        ${values.map((value, index) => {
          const meaning = Object.hasOwn(descriptions, String(value))
            ? descriptions[String(value)]
            : undefined;
          return html`<li>${codes[index]}${meaning !== undefined && html` ${meaning}`}</li> `;
        })}
      </ul> `
    : html`<p class="values">
        ${isOpen ? "Known values: " : values.length === 1 ? "Always " : "One of "}${join(codes, " ")}
      </p> `;
  if (values.length <= MAX_VALUES) return list;
  return html`<details class="fold">
    <summary>${values.length} values</summary>
    ${list}
  </details> `;
}

/** Renders the members, items and alternatives of a schema. */
function renderInner(schema: Schema, shape: Shape, view: SchemaView, place: Place, isOpen: boolean): Html {
  const { items, choices } = shape;
  const members = renderMembers(shape, view, place);
  return html`${members !== undefined && fold(members, countOf(shape), isOpen)}${
    items && renderItems(items, view, place, isOpen)
  }${choices.map((list) => renderAlternatives(schema, list, view, place))}`;
}

function countOf({ properties: { length: count } }: Shape): string {
  if (count === 0) return "Members of any name";
  return count === 1 ? "1 member" : `${count} members`;
}

function fold(inner: Html, label: string, isOpen: boolean): Html {
  return isOpen
    ? inner
    : html`<details class="fold">
        <summary>${label}</summary>
        ${inner}
      </details> `;
}

function renderItems(items: Schema, view: SchemaView, place: Place, isOpen: boolean): Html | undefined {
  const shape = readShape(items, view);
  if (!isShown(shape, place)) return undefined;
  const inner = renderInner(items, shape, view, enter(shape, place), isOpen);
  const limits = shape.name === undefined ? renderLimits(shape) : undefined;
  return html`${limits?.text !== "" && limits}${inner}`;
}

function renderAlternatives(
  schema: Schema,
  list: Shape["choices"][number],
  view: SchemaView,
  place: Place,
): Html | undefined {
  const property = findChoosing(schema, view);
  const panels = list.map(({ label, schema: one }) => {
    const shape = readShape(one, view);
    const link = shape.name === undefined ? undefined : html`<p class="line">${renderType(shape, view)}</p> `;
    const description = renderMarkdown(shape.description, { below: 5 });
    const inner = isShown(shape, place)
      ? html`${description}${renderLimits(shape)}${renderInner(one, shape, view, enter(shape, place), true)}`
      : undefined;
    return { label, content: html`${link}${inner}` };
  });
  if (panels.every(({ content }) => content.text === "")) return undefined;
  const name = property === undefined ? "Alternatives" : `By the value of ${property}`;
  return html`<p class="note">
      ${property === undefined ? "One of these" : html`<code>${property}</code> says which`}
    </p>
    ${renderTabs(panels, { name })}`;
}

function renderMembers(shape: Shape, view: SchemaView, place: Place): Html | undefined {
  const { properties, others, flat } = shape;
  if (properties.length === 0 && others === undefined) return undefined;
  return html`<ul class="members">
    ${properties.map(([name, property]) =>
      renderMember(name, property, view, {
        place,
        required: flat.required?.includes(name) ?? false,
        isName: true,
      }),
    )}${others && renderMember("any other name", others, view, { place, required: false, isName: false })}
  </ul> `;
}

function renderMember(
  name: string,
  schema: Schema,
  view: SchemaView,
  {
    place,
    required,
    isName,
  }: { readonly place: Place; readonly required: boolean; readonly isName: boolean },
): Html {
  const shape = readShape(schema, view);
  const inner = isShown(shape, place)
    ? renderInner(schema, shape, view, enter(shape, place), false)
    : undefined;
  const parts = [...view.registry.parts(schema)];
  const has = (key: "readOnly" | "writeOnly") => parts.some((part) => part[key] === true);
  const lifecycle = parts.find((part) => part.lifecycle !== undefined)?.lifecycle;
  return html`<li>
    <p class="line">
      ${isName ? html`<code class="name">${name}</code>` : html`<span class="name">${name}</span>`}
      ${renderType(shape, view)}${renderMarks(shape)}${
        required && html` <span class="mark required">required</span>`
      }${has("readOnly") && html` <span class="mark">read-only</span>`}${has("writeOnly") && html` <span class="mark">write-only</span>`}${renderBadges(lifecycle)}
    </p>
    ${renderLimits(shape)}${renderMarkdown(shape.description, { below: 5 })}${inner}
  </li> `;
}
