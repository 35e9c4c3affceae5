import { escapeMarkup } from "../../../src/cli/output/markup.js";

/** One panel of a chart: lines over the same x values, which stand at equal distances. */
export interface Panel {
  readonly title: string;
  readonly x: readonly string[];
  readonly lines: readonly { readonly label: string; readonly values: readonly number[] }[];
  /** Values that have a line across the panel; the first is at its bottom, the last at its top. */
  readonly ticks: readonly number[];
  /** Where each tick is 10 times the last or so; values below the first are drawn there. */
  readonly isLogarithmic: boolean;
}

const WIDTH = 440;
const HEIGHT = 240;
const MARGIN = 60;
const TOP = 90;
const COLOURS = ["ours", "second", "third"];

const STYLE = `text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 15px; font-weight: 600; }
.panel { font-weight: 600; }
.background { fill: #ffffff; }
.tick { stroke: #d0d7de; }
polyline { fill: none; stroke-width: 2.5; }
.ours { stroke: #0969da; }
.second { stroke: #bf8700; stroke-dasharray: 6 4; }
.third { stroke: #6e7781; stroke-dasharray: 2 3; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .background { fill: #0d1117; }
  .tick { stroke: #30363d; }
  .ours { stroke: #4493f8; }
  .second { stroke: #d29922; }
  .third { stroke: #9198a1; }
}`;

/**
 * Draws panels side by side, with the lines of the first named above.
 * @returns an SVG document, light or dark as its reader wants.
 */
export function drawLines(title: string, panels: readonly Panel[]): string {
  const width = MARGIN + panels.length * (WIDTH + MARGIN);
  const height = TOP + HEIGHT + MARGIN;
  const names = (panels[0]?.lines ?? []).map(({ label }, index) => {
    const x = MARGIN + index * 270;
    return `<polyline class="${COLOURS[index]}" points="${x},52 ${x + 24},52"/>
<text x="${x + 30}" y="56">${escapeMarkup(label)}</text>`;
  });
  const drawn = panels.map(
    (panel, index) =>
      `<g transform="translate(${MARGIN + index * (WIDTH + MARGIN)} ${TOP})">\n${drawPanel(panel)}\n</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeMarkup(title)}</title>
<style>
${STYLE}
</style>
<rect class="background" width="${width}" height="${height}"/>
<text class="title" x="${MARGIN}" y="30">${escapeMarkup(title)}</text>
${[...names, ...drawn].join("\n")}
</svg>
`;
}

function drawPanel({ title, x, lines, ticks, isLogarithmic }: Panel): string {
  const scale = isLogarithmic ? Math.log : (value: number) => value;
  const least = ticks[0] ?? 0;
  const most = ticks.at(-1) ?? 1;
  const toY = (value: number) => {
    const kept = Math.min(Math.max(value, least), most);
    const part = (scale(kept) - scale(least)) / (scale(most) - scale(least));
    return Number((HEIGHT * (1 - part)).toFixed(1));
  };
  const toX = (index: number) => Number(((WIDTH * index) / (x.length - 1)).toFixed(1));
  return [
    `<text class="panel" x="0" y="-10">${escapeMarkup(title)}</text>`,
    ...ticks.map(
      (tick) =>
        `<line class="tick" x1="0" x2="${WIDTH}" y1="${toY(tick)}" y2="${toY(tick)}"/>
<text x="-6" y="${toY(tick) + 4}" text-anchor="end">${tick}</text>`,
    ),
    ...x.map(
      (label, index) => `<text x="${toX(index)}" y="${HEIGHT + 18}" text-anchor="middle">${label}</text>`,
    ),
    ...lines.map(({ values }, line) => {
      const points = values.flatMap((value, index) =>
        Number.isNaN(value) ? [] : [`${toX(index)},${toY(value)}`],
      );
      return `<polyline class="${COLOURS[line]}" points="${points.join(" ")}"/>`;
    }),
  ].join("\n");
}
