import type { CoverageReport, PlacedItem } from "./report.js";
import { groupBy } from "../generate/group-by.js";
import { createHtmlPage } from "../output/html-page.js";
import { escapeMarkup } from "../output/markup.js";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table.counts { border-collapse: collapse; }
.counts td, .counts th { padding: .2rem 1rem .2rem 0; text-align: left; }
.counts td + td { text-align: right; font-variant-numeric: tabular-nums; }
.source { border-collapse: collapse; font: 13px/1.5 ui-monospace, monospace; width: 100%; }
.source td { padding: 0 .5rem; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
.source td:first-child { text-align: right; opacity: .6; user-select: none; width: 3rem; }
.source td:last-child { width: 35%; font-family: system-ui, sans-serif; white-space: normal; }
.all { background: light-dark(#e3f4e4, #17331b); }
.some { background: light-dark(#fdf3d3, #40350f); }
.none { background: light-dark(#fbe3e2, #451d1b); }
@media (max-width: 40rem) { .source td:last-child { display: block; width: auto; } .source td { display: inline; } .source tr { display: block; } }
`;

/**
 * Writes a self-contained page: the contract's text, with the coverage of each line.
 * @param readText Reads a file of the contract; undefined when it cannot be read, for example a URL.
 */
export function toHtml(
  title: string,
  report: CoverageReport,
  readText: (file: string) => string | undefined,
): string {
  const files = [...new Set(report.points.map(({ file }) => file))];
  const counts = [...report.kinds, { kind: "all", ...report.total }].map(
    ({ kind, covered, total, percent }) =>
      `<tr><th scope="row">${escapeMarkup(kind)}</th><td>${covered} of ${total}</td><td>${percent} %</td></tr>`,
  );
  const undeclared = report.undeclared.map((what) => `<li><code>${escapeMarkup(what)}</code></li>`);
  const body = [
    `<h1>Coverage of ${escapeMarkup(title)}</h1>`,
    `<table class="counts"><caption hidden>Coverage by kind</caption>${counts.join("")}</table>`,
    '<p>Lines with coverage items are marked: <mark class="all">all covered</mark>, <mark class="some">some covered</mark>, or <mark class="none">none covered</mark>.</p>',
    ...(undeclared.length === 0
      ? []
      : [
          `<details><summary>Undeclared requests and responses: ${undeclared.length}</summary><ul>${undeclared.join("")}</ul></details>`,
        ]),
    ...files.map((file) => toSource(file, report.points, readText(file))),
    "",
  ].join("\n");
  return createHtmlPage({ title: `Coverage of ${title}`, head: `<style>${STYLE}</style>\n`, body });
}

function toSource(file: string, items: readonly PlacedItem[], text: string | undefined): string {
  const byLine = groupBy(
    items.filter((item) => item.file === file),
    ({ line }) => line,
  );
  const lines = text?.split("\n") ?? [];
  const last = Math.max(lines.length, ...byLine.keys());
  const rows = Array.from({ length: last }, (_, index) => {
    const number = index + 1;
    const own = byLine.get(number) ?? [];
    const missed = own.filter(({ isCovered }) => !isCovered);
    const state = missed.length === 0 ? "all" : missed.length === own.length ? "none" : "some";
    const note = missed
      .map(({ kind, title }) => `${escapeMarkup(title)} <small>${escapeMarkup(kind)}</small>`)
      .join("<br>");
    const mark = own.length === 0 ? "" : ` class="${state}"`;
    const missing = missed.length === 0 ? "" : `not covered: ${note}`;
    return `<tr${mark} id="${escapeMarkup(file)}:${number}"><td>${number}</td><td>${escapeMarkup(lines[index] ?? "")}</td><td>${missing}</td></tr>`;
  });
  return `<h2>${escapeMarkup(file)}</h2>\n<table class="source">${rows.join("\n")}</table>`;
}
