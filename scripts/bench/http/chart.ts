import { escapeMarkup } from "../../../src/cli/output/markup.js";

/** One panel of a chart: bars under a title. */
export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly label: string;
  /** Length; 0 or more. */
  readonly value: number;
  /** Drawn as what the chart is about. */
  readonly isOurs: boolean;
}

const COLUMNS = 2;
const PANEL_WIDTH = 470;
const MARGIN = 20;
const LABEL_WIDTH = 240;
/** Room for a value beside the longest bar. */
const VALUE_WIDTH = 45;
const BAR_HEIGHT = 14;
const ROW_HEIGHT = 20;
const TITLE_HEIGHT = 34;
/** Above the panels, for the title of the chart. */
const TOP = 50;

const STYLE = `text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 15px; font-weight: 600; }
.panel { font-weight: 600; }
.value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
.background { fill: #ffffff; }
.bar { fill: #afb8c1; }
.ours { fill: #0969da; }
.one { stroke: #57606a; stroke-dasharray: 3 3; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .value { stroke: #0d1117; }
  .background { fill: #0d1117; }
  .bar { fill: #6e7681; }
  .ours { fill: #4493f8; }
  .one { stroke: #8b949e; }
}`;

/**
 * Draws bars, each panel to its own scale, with a dashed line at 1.
 * @returns an SVG document, light or dark as its reader wants.
 */
export function drawChart(title: string, panels: readonly Panel[]): string {
  const panelHeight = TITLE_HEIGHT + ROW_HEIGHT * Math.max(0, ...panels.map(({ bars }) => bars.length));
  const width = MARGIN + COLUMNS * (PANEL_WIDTH + MARGIN);
  const height = TOP + Math.ceil(panels.length / COLUMNS) * panelHeight + MARGIN;
  const drawn = panels.map((panel, index) => {
    const x = MARGIN + (index % COLUMNS) * (PANEL_WIDTH + MARGIN);
    const y = TOP + Math.floor(index / COLUMNS) * panelHeight;
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeMarkup(title)}</title>
<style>
${STYLE}
</style>
<rect class="background" width="${width}" height="${height}"/>
<text class="title" x="${MARGIN}" y="30">${escapeMarkup(title)}</text>
${drawn.join("\n")}
</svg>
`;
}

function drawPanel({ title, bars }: Panel): string {
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  const scale = (PANEL_WIDTH - LABEL_WIDTH - VALUE_WIDTH) / longest;
  const round = (length: number) => Number(length.toFixed(1));
  const one = round(LABEL_WIDTH + scale);
  const bottom = TITLE_HEIGHT + bars.length * ROW_HEIGHT - 6;
  const rows = bars.map(({ label, value, isOurs }, index) => {
    const y = TITLE_HEIGHT - 10 + index * ROW_HEIGHT;
    const end = round(value * scale);
    const text = y + BAR_HEIGHT - 3;
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${text}" text-anchor="end">${escapeMarkup(label)}</text>`,
      `<rect class="${isOurs ? "ours" : "bar"}" x="${LABEL_WIDTH}" y="${y}" width="${end}" height="${BAR_HEIGHT}"/>`,
      `<text class="value" x="${round(LABEL_WIDTH + end + 5)}" y="${text}">${value.toFixed(2)}</text>`,
    ].join("\n");
  });
  return [
    `<text class="panel" x="0" y="12">${escapeMarkup(title)}</text>`,
    `<line class="one" x1="${one}" x2="${one}" y1="${TITLE_HEIGHT - 14}" y2="${bottom}"/>`,
    ...rows,
  ].join("\n");
}
