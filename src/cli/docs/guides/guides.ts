import { basename, dirname, resolve } from "node:path";
import type { Element } from "hast";
import { ContractError, createProblem, type SourcePosition } from "tenon/core/document";
import { createNames } from "../assets/docs-file.js";
import { html, Html, linkTo, toPlainText } from "../render/html.js";
import { fromFragment, toIdPart, toOperationId } from "../render/ids.js";
import { type Heading, renderMarkdown, toPlaceId } from "../render/markdown.js";
import type { GuidePart } from "../render/parts.js";
import type { Attachments } from "./attachments.js";

/** A Markdown file that is a page of the site. */
export interface GuideSource {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

export interface Guide extends GuidePart {
  readonly source: GuideSource;
  readonly links: readonly GuideLink[];
}

/** A link or picture of a guide. */
interface GuideLink {
  readonly written: string;
  readonly position: SourcePosition;
  /** Offsets of its Markdown. */
  readonly range: readonly [start: number, end: number];
  /** Ids of the places that it can mean, the first of which the page has. */
  readonly ids: readonly string[];
  /** Address of a file of the site. */
  readonly file?: string | undefined;
}

/**
 * Renders guides. Their links can lead to headings, other guides, operations (`#listPets`, `#operation/listPets`), other parts of the
 * reference and files, which are copied.
 */
export function renderGuides(sources: readonly GuideSource[], attachments: Attachments): readonly Guide[] {
  const choose = createNames();
  const named = sources.map((source) => {
    const name = choose(toIdPart(basename(source.path).replace(/\.[^.]*$/, "")) || "guide");
    return { source, name, id: `guide/${name}` };
  });
  const byPath = new Map(named.map(({ source, id }) => [source.path, id]));
  return named.map(({ source, name, id }): Guide => {
    const links: GuideLink[] = [];
    const headings: Heading[] = [];
    const toAddress = (written: string, node: Element): string | undefined => {
      // An address with a scheme, or on the pages' host.
      if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(written)) return undefined;
      const [path = "", fragment = ""] = written.split("#").map(fromFragment);
      const target = resolve(dirname(source.path), path);
      const guide = path === "" ? id : byPath.get(target);
      const ids = guide === undefined ? [] : listIds(guide, fragment, path === "");
      const file = guide === undefined && !/\.md$/i.test(path) ? attachments.add(target) : undefined;
      const { start, end } = node.position ?? {};
      const position = {
        file: source.path,
        line: start?.line ?? 1,
        column: start?.column ?? 1,
        pointer: "#/",
      };
      links.push({ written, position, range: [start?.offset ?? 0, end?.offset ?? 0], ids, file });
      return ids[0] === undefined ? file : linkTo(ids[0]).text;
    };
    const content = renderMarkdown(source.text, {
      below: 0,
      onHeading: (heading) => headings.push(heading),
      toId: createSlugger(id),
      toAddress,
    });
    const title = headings.find(({ level }) => level === 1);
    return {
      id,
      label: title?.text ?? name,
      name,
      source,
      links,
      content: html`<section class="part guide" id="${id}">${content}</section> `,
      headings: headings.filter((heading) => heading !== title),
    };
  });
}

function listIds(guide: string, fragment: string, isOwn: boolean): readonly string[] {
  if (fragment === "") return [guide];
  const place = toPlaceId(`#${fragment}`) ?? toOperationId({ id: fragment });
  return [`${guide}/${fragment}`, ...(isOwn ? [place] : [])];
}

/** Creates the ids of headings below that of their guide, with the names that they have on GitHub: `guide/errors/rate-limits`. */
function createSlugger(guide: string): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return toIdPart(`${guide}/${slug}${count === 0 ? "" : `-${count}`}`);
  };
}

/**
 * Checks the links of guides.
 * @param ids All places of the site.
 * @param names All files of the site.
 * @returns the places that links mean, by the id that their page has.
 * @throws {ContractError} `guide-link` for each that leads to nothing.
 */
export function checkLinks(
  guides: readonly Guide[],
  ids: ReadonlySet<string>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const links = guides.flatMap((guide) => guide.links);
  const find = (link: GuideLink) => link.ids.find((id) => ids.has(id));
  const dead = links.filter(
    (link) => find(link) === undefined && link.file === undefined && !names.has(link.written),
  );
  if (dead.length > 0)
    throw new ContractError(
      dead.map(({ written, position, ids: found }) => {
        const isOther = found.length === 0 && /\.md(?:#|$)/i.test(written);
        const hint = isOther ? "Guides are the files in x-tenon.docs.guides" : undefined;
        return createProblem("guide-link", `"${written}" leads to nothing`, position, hint);
      }),
    );
  return new Map(
    links.flatMap((link) => {
      const [[first], id] = [link.ids, find(link)];
      return first !== undefined && id !== undefined ? [[first, id]] : [];
    }),
  );
}

/** Writes a guide as Markdown whose links lead to files of the site. */
export function writeGuide({ source, links }: Guide, toHref: (id: string) => string): string {
  let { text } = source;
  for (const { written, range, ids, file } of [...links].sort((a, b) => b.range[0] - a.range[0])) {
    const [id] = ids;
    const address = id === undefined ? file : toHref(id);
    if (address === undefined) continue;
    const own = text.slice(...range).replace(`](${written}`, () => `](${address}`);
    text = text.slice(0, range[0]) + own + text.slice(range[1]);
  }
  return text;
}

/** Finds the ids of all places in HTML. */
export function listPlaces({ text }: Html): readonly string[] {
  return [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => toPlainText(new Html(id)));
}
