import type { Node } from "tenon/core/document";
import { buildContract } from "tenon/core/model";
import { stringify } from "yaml";
import type { Changelog } from "../../changelog/index.js";
import {
  type DocsFile,
  RELOAD_SCRIPT,
  toBrowserScript,
  toPage,
  toScript,
  toStyleSheet,
} from "../assets/docs-file.js";
import { createReferencePolicy } from "../assets/page-policy.js";
import { createChangelogFiles } from "../changes/changelog-page.js";
import { type ConsoleOptions, createConsoleFiles, listCallable } from "../console/console-files.js";
import type { RenderContext } from "../render/context.js";
import { createFramedPage, type DocsVersion } from "../render/frame.js";
import { resolveLinks } from "../render/html.js";
import { renderMenu } from "../render/menu.js";
import { type Page, planPages } from "../render/pages.js";
import { renderParts } from "../render/parts.js";
import { createSearchEntries } from "../render/search-index.js";
import { createSampleValues } from "../samples/sample-values.js";
import { toTwin, writeTwins } from "../twin/write-twins.js";
import { createSamples, type SampleOptions } from "../samples/samples.js";

export interface SiteOptions extends SampleOptions, ConsoleOptions {
  /** When the site is built, in milliseconds since 1970: what is past its `x-sunset` is shown as gone. Default: now. */
  readonly now?: number;
  /** The contract's history, which becomes a page of its own. Default: none. */
  readonly changelog?: Changelog | undefined;
  /** The docs sites of the API's versions, this one among them: readers change from one to another. Default: none. */
  readonly versions?: readonly DocsVersion[];
  /** The pages load themselves again when the service was restarted. Default: false. */
  readonly reload?: boolean;
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
  const { changelog, service, client, reload = false, versions = [], now = Date.now() } = options;
  const contract = buildContract(document as unknown as Node);
  const { registry } = contract;
  const response = { registry, side: "response" } as const;
  const context: RenderContext = {
    contract,
    samples: createSamples(contract, { service, client }),
    request: { registry, side: "request" },
    response,
    values: createSampleValues(response),
    now,
  };
  const parts = renderParts(document as unknown as Node, context, {
    service,
    hasChangelog: changelog !== undefined,
  });
  const plan = planPages(parts);
  const site = `${title} ${version}`;
  const origins = listCallable(contract, options);
  const policy = createReferencePolicy(origins);
  const toFile = (page: Page): DocsFile => {
    const text = createFramedPage({
      title: page.title === undefined ? site : `${page.title} · ${site}`,
      site,
      menu: renderMenu(parts, page, plan),
      content: page.content,
      twin: toTwin(page),
      versions,
      policy,
      reload,
    });
    const resolved = resolveLinks(text, (id) => plan.toHref(id, page));
    return toPage(page.file, resolved, policy);
  };
  // On other pages, an address within the first one has its name.
  const from = plan.isWhole ? plan.find("") : undefined;
  const entries = createSearchEntries(parts, (id) => plan.toHref(id, from));
  return [
    ...plan.pages.map(toFile),
    toStyleSheet("docs.css", "layout", "text", "reference", "code"),
    toBrowserScript("theme.js", "theme"),
    toBrowserScript("docs.js", "docs"),
    toScript("search.js", `globalThis.searchEntries = ${toLiteral(entries)};\n`),
    { name: "openapi.json", mediaType: "application/json", text: `${JSON.stringify(document, null, 2)}\n` },
    {
      name: "openapi.yaml",
      // RFC 9512 registers the media type.
      mediaType: "application/yaml",
      // Without anchors, which some readers of OpenAPI do not follow.
      text: stringify(document, { aliasDuplicateObjects: false }),
    },
    ...writeTwins(context, plan),
    ...createConsoleFiles({ contract: document as unknown as Node, service, origins }),
    ...(changelog === undefined ? [] : createChangelogFiles(changelog)),
    ...(reload ? [toBrowserScript(RELOAD_SCRIPT, "reload")] : []),
  ];
}

/** JSON is a literal of a script, which must not contain the end of its element. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
