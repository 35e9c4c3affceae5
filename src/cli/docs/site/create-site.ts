import { stringifyYaml } from "@redocly/openapi-core";
import type { Node } from "tenon/core/document";
import { buildContract, type Contract } from "tenon/core/model";
import type { Changelog } from "../../changelog/index.js";
import { escapeXml } from "../../output/markup.js";
import type { DocsSettings } from "../../project/index.js";
import { type DocsFile, toBrowserScript, toFile } from "../assets/docs-file.js";
import { createReferencePolicy } from "../assets/page-policy.js";
import { createChangelogFiles, createChangelogGuide } from "../changes/changelog-page.js";
import { type ConsoleOptions, createConsoleFiles, listCallable } from "../console/console-files.js";
import type { RenderContext } from "../render/context.js";
import { checkLinks, type GuideSource, listPlaces, renderGuides } from "../guides/guides.js";
import type { DocsVersion } from "../render/frame.js";
import { planPages } from "../render/pages.js";
import { renderParts } from "../render/parts.js";
import { createSearchEntries } from "../render/search-index.js";
import { createSampleValues } from "../samples/sample-values.js";
import { writeTwins } from "../twin/write-twins.js";
import { Attachments } from "../guides/attachments.js";
import { createBrand, createIcon, createStyles } from "./brand.js";
import { createSamples, type SampleOptions } from "../samples/samples.js";
import { createPages, toUrl } from "./create-pages.js";
import { createReuse, type FormerBuild } from "./former-build.js";

export interface SiteOptions extends SampleOptions, ConsoleOptions {
  /** When the site is built, in milliseconds since 1970: what is past its `x-sunset` is shown as gone. Default: now. */
  readonly now?: number;
  /** The model of the contract. Default: it is built. */
  readonly contract?: Contract;
  /** The contract's history, which becomes a page of its own. Default: none. */
  readonly changelog?: Changelog | undefined;
  /** The docs sites of the API's versions, this one among them: readers change from one to another. Default: none. */
  readonly versions?: readonly DocsVersion[];
  /** Markdown files that become pages. Default: none. */
  readonly guides?: readonly GuideSource[];
  /** The files of the project that pages show or link to. Default: there are none. */
  readonly attachments?: Attachments;
  /** Settings of redocly.yaml. Default: none. */
  readonly settings?: DocsSettings | undefined;
  /** Absolute path of the contract's folder, for the picture of its `x-logo`. Default: it is not shown. */
  readonly folder?: string;
  /** The pages load themselves again when the service was restarted. Default: false. */
  readonly reload?: boolean;
  /** The builds before this one. Default: there were none. */
  readonly former?: FormerBuild;
}

/** The members of a contract that the site needs itself. */
export interface DocumentedContract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
}

/**
 * Creates the docs site of a contract: static pages with relative addresses, which work under any path and from a folder on disk, and
 * are complete without scripts. Search is a script as well, because a page opened from a folder may not fetch.
 */
export function createDocsSite(document: DocumentedContract, options: SiteOptions = {}): readonly DocsFile[] {
  const { title, version } = document.info;
  const {
    changelog,
    service,
    client,
    groupByTag,
    reload = false,
    versions = [],
    now = Date.now(),
    former,
  } = options;
  const { attachments = new Attachments(undefined), settings, folder = "" } = options;
  const { url, accent } = settings ?? {};
  const brand = createBrand(document.info, { settings, attachments, folder });
  const node = document as unknown as Node;
  const { contract = buildContract(node) } = options;
  const { registry } = contract;
  const text = `${JSON.stringify(document, null, 2)}\n`;
  const response = { registry, side: "response" } as const;
  const context: RenderContext = {
    document: node,
    contract,
    toSamples: createSamples(contract, { service, client, groupByTag }),
    request: { registry, side: "request" },
    response,
    // Without properties that only requests have, responses have all of them: schemas are read once.
    component: text.includes('"writeOnly"') ? { registry } : response,
    values: createSampleValues(response),
    now,
    reuse: former
      ? createReuse(former, contract, { now, service, client, groupByTag })
      : (_name, _pointers, make) => make(),
  };
  const guides = [
    ...renderGuides(options.guides ?? [], attachments),
    ...(changelog === undefined ? [] : [createChangelogGuide(changelog)]),
  ];
  const about = { service, hasChangelog: changelog !== undefined };
  const parts = renderParts(context, { ...about, guides });
  const plan = planPages(parts);
  const origins = listCallable(contract, options);
  const policy = createReferencePolicy(origins);
  // On other pages, an address within the first one has its name.
  const from = plan.pages.length === 1 ? plan.find("") : undefined;
  const entries = createSearchEntries(parts, (id) => plan.toHref(id, from));
  const others = [
    createStyles(accent),
    ...(settings?.favicon === undefined ? [createIcon(title, accent)] : []),
    toBrowserScript("theme"),
    toBrowserScript("docs"),
    toFile("search.js", `globalThis.searchEntries = ${toLiteral(entries)};\n`),
    toFile("openapi.json", text),
    // Without anchors, which some readers of OpenAPI do not follow.
    toFile("openapi.yaml", stringifyYaml(document, { noRefs: true, lineWidth: -1 })),
    ...createConsoleFiles({ contract: node, service, origins }),
    ...(changelog === undefined ? [] : createChangelogFiles(changelog)),
    ...(reload ? [toBrowserScript("reload")] : []),
  ];
  const names = new Set(others.map(({ name }) => name));
  const ids = new Set(guides.length === 0 ? [] : plan.pages.flatMap(({ content }) => listPlaces(content)));
  const places = checkLinks(guides, ids, names);
  const toHref = (id: string) => plan.toHref(places.get(id) ?? id, undefined);
  const frame = { brand, url, title, version, versions, policy, reload };
  const files = [
    ...createPages(parts, plan, { frame, places, former }),
    ...others,
    ...(url === undefined ? [] : [createSitemap(plan.pages.map((page) => toUrl(url, page)))]),
    ...writeTwins(context, parts, plan, { ...about, guides, toHref }),
    ...attachments.read(),
  ];
  former?.end();
  return files;
}

/** @see https://www.sitemaps.org/protocol.html */
function createSitemap(urls: readonly string[]): DocsFile {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map((url) => `<url><loc>${escapeXml(url)}</loc></url>\n`).join("")}</urlset>
`;
  return toFile("sitemap.xml", text);
}

/** JSON is a literal of a script, which must not contain the end of its element. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
