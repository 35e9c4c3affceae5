import { type DocsFile, INDEX, toFile } from "../assets/docs-file.js";
import { type Brand, createFramedPage, type DocsVersion } from "../render/frame.js";
import { Html, resolveLinks, toDescription } from "../render/html.js";
import { renderMenu } from "../render/menu.js";
import { type Page, type Pages, renderAround } from "../render/pages.js";
import type { Parts } from "../render/parts.js";
import { toTwin } from "../twin/write-twins.js";
import { digest } from "./fingerprints.js";
import type { FormerBuild } from "./former-build.js";

/** Members of the frames of all pages. */
export interface SiteFrame {
  readonly brand: Brand;
  /** Address of the site where it is published. Default: unknown. */
  readonly url: string | undefined;
  /** Title and version of the contract. */
  readonly title: string;
  readonly version: string;
  readonly versions: readonly DocsVersion[];
  /** Content-Security-Policy. */
  readonly policy: string;
  /** The pages load themselves again when the service was restarted. */
  readonly reload: boolean;
}

interface PagesOptions {
  readonly frame: SiteFrame;
  /** Places that links of guides mean, by the id that their page has. */
  readonly places: ReadonlyMap<string, string>;
  readonly former: FormerBuild | undefined;
}

/** Creates the files of a site's pages, except those that an earlier build made of the same. */
export function createPages(
  parts: Parts,
  plan: Pages,
  { frame, places, former }: PagesOptions,
): readonly DocsFile[] {
  const toPage = (page: Page): DocsFile => {
    const text = frameContent(page, parts, plan, frame);
    const resolved = resolveLinks(text, (id) => plan.toHref(places.get(id) ?? id, page));
    return toFile(page.file, resolved, { policy: frame.policy });
  };
  if (former === undefined) return plan.pages.map(toPage);
  // The menu has all parts, and links lead to all pages.
  const common = digest(
    JSON.stringify([frame, [...places], plan.pages.map(({ file }) => file), parts], withoutContent),
  );
  return plan.pages.map((page) =>
    former.reuse(`${page.file} ${common} ${digest(page.content.text)}`, () => toPage(page)),
  );
}

function withoutContent(key: string, value: unknown): unknown {
  return key === "content" ? undefined : value;
}

function frameContent(page: Page, parts: Parts, plan: Pages, { url, title, ...frame }: SiteFrame): string {
  const site = `${title} ${frame.version}`;
  return createFramedPage({
    ...frame,
    title: page.title === undefined ? site : `${page.title} · ${site}`,
    description: toDescription(page.content) ?? site,
    url: url === undefined ? undefined : toUrl(url, page),
    site: title,
    menu: renderMenu(parts, page, plan),
    content: raiseHeadings(page.content),
    around: renderAround(page),
    needs: page.part?.needs,
    twin: toTwin(page),
  });
}

/** The first heading of a page is its title: of a part that is a page, all headings count as higher than they look. */
function raiseHeadings(content: Html): Html {
  const first = Number(/<h(\d)/.exec(content.text)?.[1] ?? 1);
  if (first === 1) return content;
  const raise = (start: string, level: string) => `${start} aria-level="${Number(level) - first + 1}"`;
  return new Html(content.text.replaceAll(/<h([2-6])/g, raise));
}

/** Returns the address of a page where the site is published. */
export function toUrl(site: string, { file }: Page): string {
  return site + (file === INDEX ? "" : encodeURIComponent(file));
}
