import { joinPointer } from "tenon/core/document";
import { type DocsFile, INDEX, toFile } from "../assets/docs-file.js";
import { type Guide, writeGuide } from "../guides/guides.js";
import type { RenderContext } from "../render/context.js";
import { toDescription } from "../render/html.js";
import { toOperationId, toOutgoingId, toSchemaId, toTagId } from "../render/ids.js";
import { type IntroductionOptions, readSummary } from "../render/introduction.js";
import { toPlaceId } from "../render/markdown.js";
import { reuseOperation } from "../render/operation.js";
import type { Page, Pages } from "../render/pages.js";
import type { Group, Part, Parts } from "../render/parts.js";
import { toFirstParagraph } from "../texts/markdown.js";
import {
  joinBlocks,
  toHeading,
  toItem,
  toLink,
  toSpan,
  toTarget,
  writeExternalDocs,
  writeText,
} from "./blocks.js";
import { writeList } from "./write-content.js";
import { writeIntroduction } from "./write-introduction.js";
import { writeNamedSchema, writeOperation, writeOutgoing } from "./write-operation.js";

export interface TwinsOptions extends IntroductionOptions {
  readonly guides: readonly Guide[];
  /** Returns the address of a place by its id. */
  readonly toHref: (id: string) => string;
}

/**
 * Writes what programs read of a site: each page as Markdown, by the page's name (`index.md`), `llms.txt` with links to the guides,
 * operations, webhooks and pages of schemas, and `llms-full.txt` with the texts of all pages.
 * @see https://llmstxt.org
 */
export function writeTwins(
  context: RenderContext,
  parts: Parts,
  plan: Pages,
  options: TwinsOptions,
): readonly DocsFile[] {
  const toTwinHref = (id: string) => options.toHref(id).replace(/\.html(?=#|$)/, ".md");
  const resolve = (text: string) => resolveLinks(text, toTwinHref);
  const introduction = resolve(writeIntroduction(context, options));
  const guides = new Map(options.guides.map((guide) => [guide.id, writeGuide(guide, toTwinHref)]));
  const texts = new Map([...writeParts(context)].map(([id, text]) => [id, resolve(text)]));
  const { groups } = parts;
  const writeHeader = (group: Group, isDivided: boolean) =>
    resolve(writeGroup(group, { context, groups, isDivided, toTwinHref }));
  const writeWhole = (group: Group) =>
    joinBlocks(writeHeader(group, false), ...group.parts.map(({ id }) => texts.get(id)));
  const { title, version } = context.contract;
  const head = toHeading(1, `${title} ${version}`);

  const writePage = ({ file, group, part }: Page): string => {
    if (group === undefined) {
      if (part !== undefined) return guides.get(part.id) ?? "";
      return joinBlocks(
        introduction,
        ...(plan.isWhole ? groups.map(writeWhole) : [writeGroupsList(groups, toTwinHref)]),
      );
    }
    if (part !== undefined)
      return joinBlocks(head, toHeading(2, toLink(group.label, toTwinHref(group.id))), texts.get(part.id));
    const isDivided = group.parts.some(({ id }) => plan.find(id).file !== file);
    return joinBlocks(head, isDivided ? writeHeader(group, true) : writeWhole(group));
  };
  return [
    ...plan.pages.map((page) => toFile(toTwin(page), `${writePage(page).trimEnd()}\n`)),
    toFile("llms.txt", `${writeContents(context, parts, plan)}\n`),
    toFile("llms-full.txt", `${joinBlocks(introduction, ...guides.values(), ...groups.map(writeWhole))}\n`),
  ];
}

export function toTwin({ file }: Pick<Page, "file">): string {
  return file.replace(/\.html$/, ".md");
}

/** Links to places of the site, and blocks of code, which stay as they are. */
const LINKS = /^ *(`{3,}|~{3,})[^]*?^ *\1|\]\((#[^\s()]+)\)/gm;

function resolveLinks(text: string, toHref: (id: string) => string): string {
  if (!text.includes("](#")) return text;
  return text.replaceAll(LINKS, (whole, _fence, written: string | undefined) => {
    const id = written === undefined ? undefined : toPlaceId(written);
    return id === undefined ? whole : `]${toTarget(toHref(id))}`;
  });
}

/** Writes the parts of a site by their ids, unless an earlier build has written them from the same. */
function* writeParts(context: RenderContext): Iterable<readonly [id: string, text: string]> {
  const { operations, webhooks, schemas, registry } = context.contract;
  for (const operation of operations) {
    const write = () => writeOperation(operation, context);
    yield [toOperationId(operation), reuseOperation("Markdown", operation, context, write)];
  }
  for (const webhook of webhooks) {
    const id = toOutgoingId(webhook);
    const pointers = [webhook.pointer, joinPointer("#/webhooks", webhook.name)];
    yield [id, context.reuse(`Markdown ${id}`, pointers, () => writeOutgoing(webhook, context, "Webhook"))];
  }
  for (const named of schemas) {
    if (registry.isMade(named.name)) continue;
    const id = toSchemaId(named.name);
    yield [id, context.reuse(`Markdown ${id}`, [named.reference], () => writeNamedSchema(named, context))];
  }
}

interface GroupOptions {
  readonly context: RenderContext;
  readonly groups: readonly Group[];
  /** Its parts are on other pages. */
  readonly isDivided: boolean;
  readonly toTwinHref: (id: string) => string;
}

/** Writes the heading of a group, its description, and the list of its operations, or of the tags within it. */
function writeGroup(group: Group, { context, groups, isDivided, toTwinHref }: GroupOptions): string {
  const { id, label, parts } = group;
  const tag = context.contract.tags.find(({ name }) => toTagId(name) === id);
  const isListed = isDivided || (parts.length > 1 && parts.every(({ path }) => path !== undefined));
  const inner = parts.length === 0 ? groups.filter(({ within }) => within === id) : [];
  return joinBlocks(
    toHeading(2, label),
    writeText(tag?.description, 2),
    tag && writeExternalDocs(tag, context),
    [...inner, ...(isListed ? parts : [])].map((one) => toContentsItem(one, toTwinHref(one.id))).join("\n"),
  );
}

function toContentsItem(
  { label, method, path }: Pick<Part, "label" | "method" | "path">,
  href: string,
): string {
  const address = [method?.toUpperCase(), path].filter((text) => text !== undefined).map(toSpan);
  return toItem(toLink(label, href), address.join(" ")).join("\n");
}

/** Lists the groups of a site with many pages on its first one. */
function writeGroupsList(groups: readonly Group[], toTwinHref: (id: string) => string): string | undefined {
  return writeList(
    toHeading(2, "Reference"),
    groups.flatMap(({ id, label, parts, content }) =>
      toItem(`${toLink(label, toTwinHref(id))} (${parts.length})`, toDescription(content.short)),
    ),
  );
}

/** Writes `llms.txt`. */
function writeContents(context: RenderContext, { guides, groups }: Parts, plan: Pages): string {
  const { title, version, description = "" } = context.contract;
  const summary = toFirstParagraph(readSummary(context) ?? description);
  const all = groups.flatMap(({ parts }) => parts);
  const toItems = (list: readonly Part[]) =>
    list.map((part) => toContentsItem(part, toTwin(plan.find(part.id))));
  const pages = plan.pages.filter(({ group }) => group?.id === "schemas");
  return joinBlocks(
    toHeading(1, `${title} ${version}`),
    summary === "" ? undefined : `> ${summary}`,
    writeList(toHeading(2, "Guides"), toItems(guides)),
    writeList(toHeading(2, "Operations"), toItems(all.filter(({ path }) => path !== undefined))),
    writeList(toHeading(2, "Webhooks"), toItems(all.filter(({ id }) => id.startsWith("webhook/")))),
    writeList(
      toHeading(2, "Schemas"),
      pages.map((page) => `- ${toLink(page.title ?? "Schemas", toTwin(page))}`),
    ),
    writeList(toHeading(2, "Whole"), [
      `- ${toLink("Introduction", toTwin({ file: INDEX }))}`,
      `- ${toLink("All pages", "llms-full.txt")}`,
      `- ${toLink("OpenAPI document", "openapi.yaml")}`,
    ]),
  );
}
