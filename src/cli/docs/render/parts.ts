import { getOwn, isNode, joinPointer, type Node, toArray } from "tenon/core/document";
import type { NamedSchema, Operation, Tag } from "tenon/core/model";
import { renderCode } from "./code.js";
import type { RenderContext } from "./context.js";
import { renderExternalDocs } from "./extras.js";
import { type Html, html, linkTo, renderAnchor, toDescription } from "./html.js";
import { toOperationId, toOutgoingId, toSchemaId, toTagId } from "./ids.js";
import { INTRODUCTION_ID, type IntroductionOptions, renderIntroduction } from "./introduction.js";
import { type Heading, renderMarkdown } from "./markdown.js";
import {
  renderMethod,
  renderOperation,
  renderOutgoing,
  renderPath,
  reuseOperation,
  toLabel,
  toOutgoingLabel,
} from "./operation.js";
import { readShape } from "./schema/shape.js";
import { renderSchema } from "./schema/tree.js";

/** A part of the site that is not divided among pages. */
export interface Part {
  /** Id of its place in a page. */
  readonly id: string;
  /** Its name in the menu. */
  readonly label: string;
  readonly content: Html;
  /** Set for operations and webhooks. */
  readonly method?: string;
  /** Set for operations. */
  readonly path?: string;
  readonly isDeprecated?: boolean;
  /** Name of a style sheet and a script that its page has besides those of all pages. */
  readonly needs?: string;
  /** Places within it that the menu has, too. */
  readonly headings?: readonly Heading[];
}

/** A Markdown file of the author, which is a page of its own. */
export interface GuidePart extends Part {
  /** Name of its page: `getting-started`. */
  readonly name: string;
  /** File of its page. Default: by its name. */
  readonly file?: string;
}

/** Parts below one heading. */
export interface Group {
  readonly id: string;
  readonly label: string;
  /** The heading with its description, and with the list of operations, for a page that has them. */
  readonly content: { readonly short: Html; readonly whole: Html };
  readonly parts: readonly Part[];
  /** Name of the group of tags that it is in: `x-tagGroups`. */
  readonly around?: string;
  /** Id of the group that it is in: a tag with a `parent`. */
  readonly within?: string;
}

export interface Parts {
  readonly introduction: Part;
  /** Each is a page. */
  readonly guides: readonly GuidePart[];
  readonly groups: readonly Group[];
}

export interface PartsOptions extends IntroductionOptions {
  readonly guides: readonly GuidePart[];
}

/** Renders all parts of a contract's site. */
export function renderParts(context: RenderContext, options: PartsOptions): Parts {
  const { content, headings } = renderIntroduction(context, options);
  return {
    introduction: { id: INTRODUCTION_ID, label: "Introduction", content, headings },
    guides: options.guides,
    groups: [...renderTags(context), ...renderWebhooks(context), ...renderSchemas(context)],
  };
}

const UNTAGGED = "Operations";

function renderTags(context: RenderContext): readonly Group[] {
  const { contract, document } = context;
  const declared = new Map(contract.tags.map((tag) => [tag.name, tag]));
  const toGroup = chooseGroups(contract.operations, declared);
  const byTag = new Map<string, Operation[]>(contract.tags.filter(isGroup).map(({ name }) => [name, []]));
  for (const operation of contract.operations) {
    const name = toGroup(operation);
    byTag.set(name, [...(byTag.get(name) ?? []), operation]);
  }
  const around = readTagGroups(document);
  const parents = new Map([...declared].filter(([name]) => byTag.has(name)));
  const within = new Map([...parents].map(([name, tag]) => [name, findParent(tag, parents)]));
  const groups = [...byTag].map(([name, operations]): Group => {
    const tag = declared.get(name);
    const label = tag?.displayName ?? name;
    const group = around.find(({ tags }) => tags.includes(name))?.name;
    const id = toTagId(name);
    const parent = within.get(name);
    const inner = [...parents.values()].filter((one) => within.get(one.name) === id);
    return {
      id,
      label,
      ...(group !== undefined && { around: group }),
      ...(parent !== undefined && { within: parent }),
      content: toHeader(
        id,
        label,
        html`${renderMarkdown(tag?.description, { below: 2 })}${tag && renderExternalDocs(tag, context)}${
          operations.length === 0 &&
          inner.length > 0 &&
          renderList(inner.map((one) => ({ id: toTagId(one.name), label: one.displayName ?? one.name })))
        }`,
        renderOverview(operations),
      ),
      parts: operations.map((operation) => toPart(operation, context)),
    };
  });
  const shown = groups.filter(({ parts, id }) => parts.length > 0 || declared.has(id.slice("tag/".length)));
  const order = around.flatMap(({ tags }) => tags.map(toTagId));
  const rank = ({ id }: Group) => (order.includes(id) ? order.indexOf(id) : order.length);
  const roots = shown.filter(({ within }) => within === undefined).sort((a, b) => rank(a) - rank(b));
  return roots.flatMap((root) => [root, ...listWithin(root, shown)]);
}

/** More operations of one group are divided. */
const MAX_OPERATIONS = 40;

/** Tests whether a tag is for navigation, and not for a badge or an audience. */
function isGroup(tag: Tag | undefined): boolean {
  return tag?.kind === undefined || tag.kind === "nav";
}

/**
 * Chooses the group of each operation: its first tag for navigation, so that its link has one place. Where that would be the same for many operations,
 * it is the first segment in which their paths differ: `/v1/account_links/{id}` is of "Account links".
 */
function chooseGroups(
  operations: readonly Operation[],
  declared: ReadonlyMap<string, Tag>,
): (operation: Operation) => string {
  const toTag = ({ tags }: Operation) =>
    tags.find((name) => isGroup(declared.get(name))) ?? tags[0] ?? UNTAGGED;
  if (operations.length <= MAX_OPERATIONS || new Set(operations.map(toTag)).size > 1) return toTag;
  const split = ({ path }: Operation) => path.split("/").filter((segment) => !segment.startsWith("{"));
  const all = operations.map(split);
  const at = all[0]?.findIndex((segment, index) => all.some((other) => other[index] !== segment)) ?? 0;
  const toName = (operation: Operation) => {
    const words = split(operation)[at]?.match(/[\p{L}\d]+/gu) ?? [];
    return words.join(" ").replace(/^./u, (first) => first.toUpperCase()) || UNTAGGED;
  };
  // Otherwise the segment is a value of its own in most paths.
  return new Set(operations.map(toName)).size * 2 <= operations.length ? toName : toTag;
}

/** Lists the operations of a group beside its description. */
function renderOverview(operations: readonly Operation[]): Html | undefined {
  if (operations.length < 2) return undefined;
  return html`<div class="beside">
    <ul class="overview" aria-label="Operations">
      ${operations.map(
        (operation) =>
          html`<li>
            <a href="${linkTo(toOperationId(operation))}">${renderMethod(operation.method)} <code>${renderPath(operation.path)}</code></a>
          </li> `,
      )}
    </ul>
  </div> `;
}

/** Lists the groups within one, each before those within it. */
function listWithin({ id }: Group, groups: readonly Group[]): readonly Group[] {
  const own = groups.filter(({ within }) => within === id);
  return own.flatMap((group) => [group, ...listWithin(group, groups)]);
}

/** Finds the id of the tag that a tag is in; none of a tag that is within itself. */
function findParent({ name, parent }: Tag, declared: ReadonlyMap<string, Tag>): string | undefined {
  const seen = new Set([name]);
  let next = declared.get(parent ?? "");
  if (next === undefined) return undefined;
  for (; next !== undefined; next = declared.get(next.parent ?? "")) {
    if (seen.has(next.name)) return undefined;
    seen.add(next.name);
  }
  return toTagId(parent ?? "");
}

function toPart(operation: Operation, context: RenderContext): Part {
  const { path, method, lifecycle } = operation;
  return {
    id: toOperationId(operation),
    label: toLabel(operation),
    content: reuseOperation("page", operation, context, () => renderOperation(operation, context)),
    method,
    path,
    ...(lifecycle?.deprecated === true && { isDeprecated: true }),
  };
}

function readTagGroups(
  document: Node,
): readonly { readonly name: string; readonly tags: readonly string[] }[] {
  return toArray(getOwn(document, "x-tagGroups")).flatMap((group) =>
    isNode(group) ? [{ name: String(group["name"]), tags: toArray(group["tags"]).map(String) }] : [],
  );
}

function renderWebhooks(context: RenderContext): readonly Group[] {
  const { webhooks } = context.contract;
  if (webhooks.length === 0) return [];
  const parts = webhooks.map((webhook): Part => ({
    id: toOutgoingId(webhook),
    label: toOutgoingLabel(webhook),
    content: context.reuse(
      toOutgoingId(webhook),
      [webhook.pointer, joinPointer("#/webhooks", webhook.name)],
      () => renderOutgoing(webhook, context),
    ),
    method: webhook.method,
    ...(webhook.lifecycle?.deprecated === true && { isDeprecated: true }),
  }));
  return [{ id: "webhooks", label: "Webhooks", content: toHeader("webhooks", "Webhooks"), parts }];
}

function renderSchemas(context: RenderContext): readonly Group[] {
  const { schemas, registry } = context.contract;
  const parts = schemas.flatMap((named): readonly Part[] => {
    const { name, reference } = named;
    if (registry.isMade(name)) return [];
    const id = toSchemaId(name);
    const render = () => renderComponent(named, context);
    return [{ id, label: name, content: context.reuse(id, [reference], render) }];
  });
  if (parts.length === 0) return [];
  return [{ id: "schemas", label: "Schemas", content: toHeader("schemas", "Schemas"), parts }];
}

function renderComponent({ name, schema }: NamedSchema, context: RenderContext): Html {
  const id = toSchemaId(name);
  const view = context.component;
  const { description } = readShape(schema, view);
  return html`<section class="part schema-part" id="${id}">
    <div class="about">
      <h3>${name}${renderAnchor(id, name)}</h3>
      ${renderMarkdown(description, { below: 3 })}${renderExternalDocs(schema, context)}${renderSchema(schema, view, { within: [name] })}
    </div>
    ${renderValue(context.values.make(schema, ""))}
  </section> `;
}

/** Renders an example of a schema beside it, if it has parts. */
function renderValue(value: unknown): Html | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return html`<div class="beside">
    <div class="examples"><p class="heading">Example</p>${renderCode(JSON.stringify(value, null, 2), "json")}</div>
  </div> `;
}

function toHeader(id: string, label: string, text?: Html, beside?: Html): Group["content"] {
  const render = (inner: Html | undefined) =>
    html`<header class="group" id="${id}">
      <div class="about"><h2>${label}${renderAnchor(id, label)}</h2>${text}</div>
      ${inner}
    </header> `;
  return { short: render(undefined), whole: render(beside) };
}

/** Lists parts or groups by name and link, where they are on other pages or further below. */
export function renderList(parts: readonly Pick<Part, "id" | "label" | "method" | "path">[]): Html {
  return html`<ul class="contents">
    ${parts.map(
      ({ id, label, method, path }) =>
        html`<li>
          <a href="${linkTo(id)}">${label}</a>
          ${method !== undefined && html`<span>${renderMethod(method)} <code>${path !== undefined && renderPath(path)}</code></span>`}
        </li> `,
    )}
  </ul> `;
}

/** Lists the groups of a site with many pages on its first one. */
export function renderGroupsList(groups: readonly Group[]): Html {
  return html`<ul class="cards">
    ${groups.map(
      ({ id, label, content, parts }) =>
        html`<li>
          <a href="${linkTo(id)}">${label}</a> <small>${parts.length}</small>
          <p>${toDescription(content.short)}</p>
        </li> `,
    )}
  </ul> `;
}
