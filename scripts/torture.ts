// Takes real OpenAPI documents through everything: load, compare with itself written
// differently, build, emit, compile, start, and a call of every operation.
// Documents that are invalid have to be refused with a position; anything else that does not work is Tenon's fault.
//
//   npm run test:long -- torture                    documents of npm packages, see torture/documents.ts
//   npm run test:long -- torture --short         some of them
//   npm run test:long -- torture FILE FOLDER     documents of one's own
//
// `--packages FOLDER` keeps the packages in a folder for the next run; `--skip N` and `--take N` split a run.
//
// Exits 1 when Tenon was at fault once.
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { findDocuments, withPackages } from "./torture/documents.js";
import { type Step, STEPS, type Trial, tryContract } from "./torture/try-contract.js";

const { values, positionals } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    packages: { type: "string" },
    skip: { type: "string", default: "0" },
    take: { type: "string" },
  },
  allowPositionals: true,
});

/** Operations from which on a document has a row of its own. */
const LARGE = 300;

const trials: Trial[] = [];

async function run(folder: string, all: readonly string[]): Promise<void> {
  const skip = Number(values.skip);
  const files = all.slice(skip, values.take === undefined ? undefined : skip + Number(values.take));
  print("| document | outcome | operations | lines | ms: load | diff | emit | compile | start | warnings |");
  print("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |");
  for (const file of files) {
    const trial = await tryContract(file);
    trials.push(trial);
    if (trial.outcome !== "ok" || trial.operations >= LARGE) print(toRow(relative(folder, file), trial));
  }
  const count = (outcome: Trial["outcome"]) => trials.filter((trial) => trial.outcome === outcome).length;
  const operations = trials.reduce((sum, trial) => sum + trial.operations, 0);
  print(`
${files.length} documents: ${count("ok")} work, with ${operations.toLocaleString("en")} operations,
${count("refused")} are refused with a position, ${count("failed")} fail.`);
  process.exitCode = count("failed") === 0 && count("ok") > 0 ? 0 : 1;
}

if (positionals.length > 0) await run(process.cwd(), findDocuments(positionals));
else await withPackages(values, run);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function toRow(name: string, { outcome, operations, lines, times, warnings, problem = "" }: Trial): string {
  const figures = STEPS.map((step: Step) => times[step]?.toLocaleString("en") ?? "");
  const cells = [
    name,
    outcome,
    operations.toLocaleString("en"),
    lines.toLocaleString("en"),
    ...figures,
    warnings,
  ];
  const told = problem === "" ? "" : `\n  ${problem}`;
  return `| ${cells.join(" | ")} |${told}`;
}
