import { type Html, html, linkTo, renderBreakable } from "./html.js";
import type { Page, Pages } from "./pages.js";
import type { Group, Part, Parts } from "./parts.js";
import { renderMethod } from "./operation.js";

/** Renders the menu of a page. That of a site with many pages has the parts of the page's own group only. */
export function renderMenu({ introduction, guides, groups }: Parts, page: Page, { isWhole }: Pages): Html {
  let above: string | undefined;
  const nested = groups.filter(({ within }) => within !== undefined);
  const renderTree = (group: Group): Html => {
    const inner = nested.filter(({ within }) => within === group.id).map(renderTree);
    return renderGroup(group, isWhole || page.group === group ? listShown(group, page) : [], inner);
  };
  // The changelog alone needs no heading.
  const hasGuides = guides.some(({ needs }) => needs === undefined);
  const roots = groups.filter(({ within }) => within === undefined);
  const entries = roots.map((group) => {
    const around = group.around ?? (hasGuides || above !== undefined ? "Reference" : undefined);
    const heading = around !== above && around !== undefined && html`<li class="around">${around}</li> `;
    above = around;
    return html`${heading}${renderTree(group)}`;
  });
  return html`<ul class="menu-list">
    ${renderIntroduction(introduction)}${hasGuides && html`<li class="around">Guides</li> `}${guides.map((guide) => renderGuide(guide, page))}${entries}
  </ul> `;
}

/** The guide of the page has its headings. */
function renderGuide(guide: Part, page: Page): Html {
  if (guide !== page.part) return html`<li><a href="${linkTo(guide.id)}">${guide.label}</a></li> `;
  return html`<li>
    <a href="${page.file}" aria-current="page">${guide.label}</a>
    <ul>
      ${guide.headings?.map(({ level, id, text }) => level <= 2 && html`<li><a href="${linkTo(id)}">${text}</a></li> `)}
    </ul>
  </li> `;
}

function renderIntroduction({ id, label, headings = [] }: Part): Html {
  const least = Math.min(...headings.map(({ level }) => level));
  const shown = headings.filter(({ level }) => level <= Math.max(least, 2));
  return html`<li>
    <a href="${linkTo(id)}">${label}</a>
    <ul>
      ${shown.map((heading) => html`<li><a href="${linkTo(heading.id)}">${heading.text}</a></li> `)}
    </ul>
  </li> `;
}

/** In the menu of each part, a longer list would be most of the page. The script lists the others when the reader unfolds the group. */
const MAX_PARTS = 200;

function listShown({ parts }: Group, page: Page): readonly Part[] {
  return parts.length <= MAX_PARTS ? parts : parts.filter((part) => part === page.part);
}

/** @param inner The groups within it. */
function renderGroup({ id, label, parts: all }: Group, parts: readonly Part[], inner: readonly Html[]): Html {
  const isPartial = parts.length < all.length;
  const link = html`<a class="group-link" href="${linkTo(id)}" ${isPartial && html` data-parts="${all.length}"`}>${label}</a>`;
  if (parts.length + inner.length === 0) return html`<li>${link}</li> `;
  return html`<li>
    ${link}
    <ul>
      ${parts.map(
        (part) =>
          html`<li>
            <a href="${linkTo(part.id)}" ${part.isDeprecated && html` class="old"`}
              ><span>${renderBreakable(part.label)}</span>${part.method !== undefined && html` ${renderMethod(part.method)}`}</a
            >
          </li> `,
      )}${inner}
    </ul>
  </li> `;
}
