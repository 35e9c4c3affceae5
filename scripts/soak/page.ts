import { describeMachine, formatTable } from "../bench/report.js";
import type { Soak } from "./run.js";
import { type Figure, judge, MOST_GROWTH, WARM_UP, type Window } from "./verdict.js";

const HEAD = [
  "Window",
  "Requests/s",
  "p50, ms",
  "p99, ms",
  "Memory, MB",
  "Heap, MB",
  "Handles",
  "Refused",
  "Failed",
];

/** Cells of a window's row. */
export function toRow(window: Window, index: number): readonly string[] {
  const { perSecond, p50, p99, memory, heap, handles, refused, failed } = window;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  return [
    String(index + 1),
    perSecond.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    megabytes(memory),
    megabytes(heap),
    String(handles),
    String(refused),
    String(failed),
  ];
}

/** The page in Markdown, as Prettier formats it. */
export function formatPage({ rate, windows }: Soak, seconds: number): string {
  const { growth, failed, isFlat } = judge(windows);
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  const figures = Object.keys(growth) as Figure[];
  const minutes = Number(((windows.length * seconds) / 60).toFixed(1));
  return `# The service for a long time

Made by \`npm run soak\`; do not edit. ${describeMachine()}; the machine had other work too. ${minutes} minutes at ${Math.round(rate)} requests
a second, half of what 32 callers get who each wait for their answer: pages of 20 and of 100, single animals, a tenth creations, and
callers' mistakes, on SQLite with logs. A window takes ${seconds} s; memory and heap are the least of its samples, a second apart;
handles are those that are left when all connections have been closed.

**${isFlat ? "Flat" : "Not flat"}.** ${failed === 0 ? "No request failed." : `${failed} requests failed.`} A figure is flat when the line of Theil and Sen through it, without the first
${percent(WARM_UP)} of the windows, does not rise by more than its limit, as a part of its median. And no request may fail.

${formatTable(
  ["", ...figures],
  [
    ["grew by", ...figures.map((figure) => percent(growth[figure]))],
    ["at most", ...figures.map((figure) => percent(MOST_GROWTH[figure]))],
  ],
)}
${formatTable(HEAD, windows.map(toRow))}`;
}
