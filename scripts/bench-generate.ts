/**
 * `tenon generate` beside `redocly lint` followed by `openapi-typescript`, on the same documents and by the same rules: whole
 * processes of the packages' own commands, in turns. Prints a table of scripts/bench/GENERATION.md.
 *
 *     npm run -s bench -- generate [rounds] [folder that the documents' packages are in, or go to] [documents]
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type BenchDocument, describeDocument, findDocuments, PET_STORE } from "./bench/documents.js";
import { describeMachine, formatSpread, formatTable, median } from "./bench/report.js";
import { runProcess } from "./bench/run-process.js";

const temporary = mkdtempSync(join(tmpdir(), "tenon-bench-"));
const [, , rounds = "5", packages = join(temporary, "packages"), ...names] = process.argv;
const { resolve } = createRequire(import.meta.url);
const inPackage = (name: string, path: string) => join(dirname(resolve(`${name}/package.json`)), path);
const TENON = fileURLToPath(new URL("../src/cli/dist/main.js", import.meta.url));
const REDOCLY = inPackage("@redocly/cli", "bin/cli.js");
const OPENAPI_TYPESCRIPT = inPackage("openapi-typescript", "bin/cli.js");

/** Runs all three once. */
function run(document: BenchDocument, project: string) {
  rmSync(join(project, "generated"), { recursive: true, force: true });
  const tenon = runProcess([TENON, "generate"], project);
  const redocly = runProcess([REDOCLY, "lint"], project);
  // From where there is no redocly.yaml: what is in one makes it ask for more, and refuse more.
  const types = runProcess(
    [OPENAPI_TYPESCRIPT, document.file, "--output", "types.ts"],
    join(project, "types"),
  );
  const took = [tenon, redocly, types].map(({ time }) => `${(time / 1000).toFixed(2)} s`);
  const work = (tenon.work / (redocly.work + types.work)).toFixed(2);
  process.stderr.write(`${document.name}  ${took.join("  ")}  work ${work}\n`);
  return { tenon, redocly, types };
}

const rows: string[][] = [];
const refused: string[] = [];
const documents = [PET_STORE, ...findDocuments(packages)];
for (const document of documents.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const project = join(temporary, document.name);
  mkdirSync(join(project, "types"), { recursive: true });
  const root = basename(document.file);
  copyFileSync(document.file, join(project, root));
  const config = `telemetry: off
apis: { v1: { root: ${root}, x-tenon: { output: generated } } }
extends: [minimal]
rules: { no-server-trailing-slash: warn }\n`;
  writeFileSync(join(project, "redocly.yaml"), config);

  const tools = Object.entries(run(document, project)).filter(([, { status }]) => status !== 0);
  if (tools.length > 0) {
    refused.push(`${document.name} by ${tools.map(([tool]) => tool).join(" and ")}`);
    continue;
  }
  const results = Array.from({ length: Number(rounds) }, () => run(document, project));
  const two = results.map(({ redocly, types }) => ({
    time: redocly.time + types.time,
    work: redocly.work + types.work,
    memory: Math.max(redocly.memory, types.memory),
  }));
  const ratios = (of: "time" | "work") =>
    results.map(({ tenon }, round) => tenon[of] / (two[round]?.[of] ?? NaN));
  const seconds = (runs: readonly { time: number }[]) => formatSpread(runs.map(({ time }) => time / 1000));
  const megabytes = (runs: readonly { memory: number }[]) =>
    median(runs.map(({ memory }) => memory)).toFixed(0);
  const ours = results.map(({ tenon }) => tenon);
  rows.push([
    document.name,
    describeDocument(document),
    seconds(ours),
    seconds(two),
    formatSpread(ratios("time")),
    formatSpread(ratios("work")),
    `${megabytes(ours)} : ${megabytes(two)}`,
  ]);
}
const head = ["Document", "Operations", "Tenon, s", "both others, s", "Ratio", "Ratio of work", "Memory, MB"];
process.stdout.write(
  `${formatTable(head, rows)}\nRefused: ${refused.join("; ") || "none"}. ${describeMachine()}, ${rounds} rounds.\n`,
);
rmSync(temporary, { recursive: true });
