import type { Lifecycle } from "tenon/core/document";
import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "../../../values/index.js";
import { listFacts, listValues } from "./facts.js";
import { type Html, html, join, linkTo } from "../html.js";
import { toSchemaId } from "../ids.js";
import { renderBadges } from "../lifecycle.js";
import { renderMarkdown } from "../markdown.js";
import { choosePlace, enter, isShown, type Place } from "./place.js";
import { findChoosing, isConditional, readShape, type Shape } from "./shape.js";
import { renderTabs } from "../tabs.js";
import { listTypeParts } from "./type-parts.js";

/** More values are folded. */
const MAX_VALUES = 12;

/**
 * Renders what a schema says: type, limits and members.
 * @param within Names of the components around it. Default: none.
 * @param before Text in the line of the type. Default: none.
 */
export function renderSchema(
  schema: Schema,
  view: SchemaView,
  { within = [], before = html`` }: { readonly within?: readonly string[]; readonly before?: Html } = {},
): Html {
  const shape = readShape(schema, view);
  const place = choosePlace(schema, view, within);
  const type = isPlainObject(shape) ? renderLimits(shape) : renderTypeLine(shape, view);
  return html`<div class="schema">
    ${before.text + type.text !== "" && html`<p class="line note">${before} ${type}</p> `}${renderValues(shape)}${renderInner(schema, shape, view, place, true)}
  </div> `;
}

/** Renders what is within a schema, below a line with its type and limits; empty for a plain value. */
export function renderContents(schema: Schema, view: SchemaView): Html {
  return renderInner(schema, readShape(schema, view), view, choosePlace(schema, view), true);
}

/** Tests whether a type says no more than the members below it. */
export function isPlainObject({ name, types, canBeNull, properties }: Shape): boolean {
  return name === undefined && types.join() === "object" && !canBeNull && properties.length > 0;
}

/** Renders the type of a value: `array of Pet`, `string (date) or null`. */
function renderType(shape: Shape, view: SchemaView): Html {
  const parts = listTypeParts(shape, view).map(({ text, kind }) => {
    if (kind === "component") return html`<a href="${linkTo(toSchemaId(text))}">${text}</a>`;
    return kind === "format" ? html` <span class="format">${text}</span>` : html`${text}`;
  });
  return html`<span class="type">${parts}</span>`;
}

/** Renders what the line of a value says: type, encoding, marks and limits. */
function renderTypeLine(shape: Shape, view: SchemaView, marks?: Html): Html {
  const { contentEncoding } = shape.flat;
  return html`${renderType(shape, view)}${contentEncoding !== undefined && html` <span class="mark">${contentEncoding}</span>`}${marks}${renderLimits(shape)}`;
}

/** Renders the limits and the default of a value. */
function renderLimits({ flat }: Shape): Html {
  const facts = listFacts(flat).map(
    ({ text, code }) => html`${text}${code !== undefined && html` <code>${code}</code>`}`,
  );
  return html`${facts.length > 0 && html` <span class="limits">${join(facts, " · ")}</span>`}`;
}

/** A value with a name: a property, a parameter, or a header. */
export interface NamedValue {
  /** HTML of its name. */
  readonly name: Html;
  readonly schema: Schema;
  readonly description?: string | undefined;
  /** The mark of a value that is always there. Default: it is optional. */
  readonly required?: string | false;
  /** Further marks in its line. Default: none. */
  readonly marks?: Html;
  readonly lifecycle?: Lifecycle | undefined;
  /** HTML of its members. Default: none. */
  readonly inner?: Html | undefined;
}

/** Renders a value: its line, the values that are known, its description, and what is within it. */
export function renderNamed(value: NamedValue, view: SchemaView): Html {
  const { name, schema, description, required = false, marks, lifecycle, inner } = value;
  const shape = readShape(schema, view);
  const all = html`${required && html` <span class="mark required">${required}</span>`}${marks}${renderBadges(lifecycle)}`;
  return html`<p class="line">${name} ${renderTypeLine(shape, view, all)}</p>
    ${renderMarkdown(description ?? shape.description, { below: 5 })}${renderValues(shape)}${inner}`;
}

/** Renders the values of an enumeration. */
function renderValues({ flat }: Shape): Html | undefined {
  const { title, values } = listValues(flat);
  if (values.length === 0) return undefined;
  const codes = values.map(({ text }) => html`<code>${text}</code>`);
  const list = values.some(({ meaning }) => meaning !== undefined)
    ? html`<ul class="values">
        ${values.map(({ meaning }, index) => html`<li>${codes[index]}${meaning !== undefined && html` ${meaning}`}</li> `)}
      </ul> `
    : html`<p class="values">${title} ${join(codes, " ")}</p> `;
  if (values.length <= MAX_VALUES) return list;
  return html`<details class="fold">
    <summary>${values.length} values</summary>
    ${list}
  </details> `;
}

/** Renders the members, items and alternatives of a schema. */
function renderInner(schema: Schema, shape: Shape, view: SchemaView, place: Place, isOpen: boolean): Html {
  const { items, choices, rules } = shape;
  const members = renderMembers(shape, view, place);
  return html`${members !== undefined && fold(members, countOf(shape), isOpen)}${
    items && renderItems(items, view, place, isOpen)
  }${choices.map((list) => renderAlternatives(schema, list, view, place, shape.types.length === 0))}${rules.map((rule) => renderRule(rule, view, place))}`;
}

function countOf({ properties: { length: count }, flat }: Shape): string {
  if (count === 0)
    return flat.prefixItems
      ? "Items by position"
      : `Members ${flat.patternProperties ? "by name" : "of any name"}`;
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
  const limits = renderLimits(shape);
  if (shape.name !== undefined) return inner;
  return html`${limits.text !== "" && html`<p class="line note">Each item:${limits}</p> `}${renderValues(shape)}${inner}`;
}

/** Renders a further schema of a value below the line that says what it is for. */
function renderRule({ label, schema }: Shape["rules"][number], view: SchemaView, place: Place): Html {
  const shape = readShape(schema, view);
  const own = isShown(shape, place) && renderInner(schema, shape, view, enter(shape, place), true);
  const inner = html`${renderValues(shape)}${own}`;
  const limits = renderLimits(shape);
  const isTyped = shape.name !== undefined || shape.types.length > 0 || limits.text + inner.text === "";
  return html`<p class="line note">${label}: ${isTyped ? renderTypeLine(shape, view) : limits}</p>
    ${inner}`;
}

/** @param isSaid The line above says that it is one of them. */
function renderAlternatives(
  schema: Schema,
  list: Shape["choices"][number],
  view: SchemaView,
  place: Place,
  isSaid: boolean,
): Html | undefined {
  const property = findChoosing(schema, view);
  const panels = list.map(({ label, schema: one }) => {
    const shape = readShape(one, view);
    const limits = renderLimits(shape);
    const line =
      (shape.name !== undefined || limits.text !== "") &&
      html`<p class="line">${shape.name !== undefined && renderType(shape, view)}${limits}</p> `;
    const description = renderMarkdown(shape.description, { below: 5 });
    const inner = isShown(shape, place)
      ? html`${description}${renderValues(shape)}${renderInner(one, shape, view, enter(shape, place), true)}`
      : undefined;
    return { label, content: html`${line}${inner}` };
  });
  if (panels.every(({ content }) => content.text === "")) return undefined;
  const name = property === undefined ? "Alternatives" : `By the value of ${property}`;
  const note =
    property === undefined
      ? !isSaid && !isConditional(list) && "One of these"
      : html`<code>${property}</code> says which`;
  return html`${note && html`<p class="note">${note}</p> `}${renderTabs(panels, { name })}`;
}

function renderMembers(shape: Shape, view: SchemaView, place: Place): Html | undefined {
  const { properties, unnamed, flat } = shape;
  if (properties.length + unnamed.length === 0) return undefined;
  return html`<ul class="members">
    ${properties.map(([name, property]) =>
      renderMember(name, property, view, {
        place,
        required: flat.required?.includes(name) ?? false,
        isName: true,
      }),
    )}${unnamed.map(({ label, schema }) => renderMember(label, schema, view, { place, required: false, isName: false }))}
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
  const { lifecycle } = shape;
  const marks = html`${shape.marks.map((mark) => html` <span class="mark">${mark}</span>`)}`;
  const title = isName ? html`<code class="name">${name}</code>` : html`<span class="name">${name}</span>`;
  const value = { name: title, schema, required: required && "required", marks, lifecycle, inner };
  return html`<li>${renderNamed(value, view)}</li> `;
}
