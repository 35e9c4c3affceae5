import { formatTable } from "../report.js";
import type { GrowthResult } from "./results.js";

/** Part of the page: what a contract's size does to a request, to the start and to memory. */
export function formatGrowth(title: string, { node, machine, operations, document }: GrowthResult): string {
  const rows = Object.entries(operations).flatMap(([count, servers]) =>
    Object.entries(servers).map(([server, { first, last, start, memory }]) => [
      Number(count).toLocaleString("en"),
      server,
      first.median.toFixed(1),
      last.median.toFixed(1),
      start.median.toFixed(0),
      String(memory),
    ]),
  );
  const head = ["Operations", "Server", "First, µs", "Last, µs", "Start, ms", "Memory, MB"];
  const given = Object.entries(document?.servers ?? {}).map(([server, { start, memory }]) => [
    server,
    start.median.toFixed(0),
    String(memory),
  ]);
  return `## Growth: ${title}

Contracts of 10, 100 and 1,000 operations with two parameters each, without log and keys. The table shows the processor time of a request to the
first and to the last declared operation, the time from the start of the process to the first response, and resident memory
at that point. Servers on Node ${node}. ${machine}.

${formatTable(head, rows)}${
    document === undefined
      ? ""
      : `
Start with ${document.name}, in which every operation responds with 501 or 404:

${formatTable(["Server", "Start, ms", "Memory, MB"], given)}`
  }`;
}
