import { type DocsFile, toFile } from "../assets/docs-file.js";
import type { RenderContext } from "../render/context.js";
import { type Guide, writeGuide } from "../guides/guides.js";
import { toOperationId } from "../render/ids.js";
import { reuseOperation, toLabel } from "../render/operation.js";
import type { Page, Pages } from "../render/pages.js";
import { toCode, toFirstParagraph } from "../texts/markdown.js";
import { writeOperation } from "./write-operation.js";

/**
 * Writes what programs read of a site: each page as Markdown, by the page's name (`index.md`), `llms.txt` with links to the guides and operations,
 * and `llms-full.txt` with all of them and the guides.
 * @see https://llmstxt.org
 */
export function writeTwins(
  context: RenderContext,
  plan: Pages,
  { guides, toHref }: { readonly guides: readonly Guide[]; readonly toHref: (id: string) => string },
): readonly DocsFile[] {
  const { title, version, description = "", operations } = context.contract;
  const head = `# ${title} ${version}\n\n${description.trim()}\n`;
  const links: string[] = [];
  const all: string[] = [];
  const toTwinHref = (id: string) => toHref(id).replace(/\.html(?=#|$)/, ".md");
  const texts = new Map<Page, string[]>(plan.pages.map((page) => [page, []]));
  const guideLinks = guides.map((guide) => {
    const page = plan.find(guide.id);
    const text = writeGuide(guide, toTwinHref);
    texts.get(page)?.push(text);
    all.push(text);
    return `- [${guide.label}](${toTwin(page)})`;
  });
  for (const operation of operations) {
    const page = plan.find(toOperationId(operation));
    const text = reuseOperation("Markdown", operation, context, () => writeOperation(operation, context));
    all.push(text);
    texts.get(page)?.push(text);
    const { method, path } = operation;
    links.push(`- [${toLabel(operation)}](${toTwin(page)}): ${toCode(method.toUpperCase())} ${toCode(path)}`);
  }
  const pages = [...texts].map(([page, own], index) =>
    toFile(
      toTwin(page),
      page.part !== undefined && page.group === undefined
        ? own.join("")
        : [index === 0 ? head : `# ${page.title ?? title}\n`, ...own].join("\n"),
    ),
  );
  return [
    ...pages,
    toFile(
      "llms.txt",
      `# ${title} ${version}\n\n> ${toFirstParagraph(description)}\n\n${guides.length > 0 ? `## Guides\n\n${guideLinks.join("\n")}\n\n` : ""}## Operations\n\n${links.join("\n")}\n\n## Whole\n\n- [All operations](llms-full.txt)\n- [OpenAPI document](openapi.yaml)\n`,
    ),
    toFile("llms-full.txt", [head, ...all].join("\n")),
  ];
}

export function toTwin({ file }: Pick<Page, "file">): string {
  return file.replace(/\.html$/, ".md");
}
