import { spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { type ApiConfig, chooseApi, loadModel, loadProject, writeChanges } from "../project/index.js";
import { ContractCoverage } from "tenon/core/coverage";
import { type CoverageReport, createReport, printCoverage, readRecords, toHtml } from "../coverage/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { quoteForCommandPrompt } from "../output/shell.js";
import { showPath } from "../output/show-path.js";

/** The argument and options of the command, which its help describes. */
export interface CoverageOptions {
  /** Empty to report the existing `records`. */
  readonly command: readonly string[];
  readonly api?: string;
  readonly records?: string;
  readonly html?: string;
  readonly failUnder?: number;
  readonly json?: boolean;
}

/**
 * Runs a test command and reports which parts of the contract it covered.
 * @returns 1 when the tests fail or cover too little.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runCoverage(options: CoverageOptions, context: CommandContext): Promise<ExitCode> {
  const { command, records, html, failUnder = 0, json = false } = options;
  if (command.length === 0 && records === undefined)
    throw new UsageError(`Name the command that runs the tests: ${context.program} coverage -- npm test`);
  const api = chooseApi(await loadProject(context.cwd), options.api);
  const folder =
    records === undefined ? mkdtempSync(join(tmpdir(), "tenon-")) : resolve(context.cwd, records);
  try {
    const status = command.length === 0 ? 0 : await runTests(command, folder, context);
    const report = await readReport(api, { folder, status }, context);
    if (html !== undefined) await writePage(html, api, report, context);
    if (json) printJson({ ...report, tests: command.length === 0 ? undefined : status }, context);
    else printCoverage(report, context.stdout);
    if (status !== 0) context.stderr.write(`The tests failed with exit code ${status}.\n`);
    const isEnough = report.total.percent >= failUnder;
    if (!isEnough)
      context.stderr.write(
        `${report.total.percent} % of the contract is covered; --fail-under requires ${failUnder} %.\n`,
      );
    return status === 0 && isEnough ? 0 : 1;
  } finally {
    if (records === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** The tests' output goes to standard error: with `--json`, standard output has the report alone. */
async function runTests(
  [file = "", ...argv]: readonly string[],
  folder: string,
  { cwd }: CommandContext,
): Promise<number> {
  const options: SpawnOptions = {
    cwd,
    env: { ...process.env, TENON_COVERAGE: folder },
    stdio: ["inherit", process.stderr, process.stderr],
  };
  // On Windows npm is a script, which only a shell runs. Node.js joins the words for a shell without quotes.
  const child =
    process.platform === "win32"
      ? spawn([file, ...argv].map(quoteForCommandPrompt).join(" "), { ...options, shell: true })
      : spawn(file, argv, options);
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (error) {
    throw new UsageError(`Cannot run "${file}": ${(error as Error).message}`);
  }
}

interface TestRun {
  /** Folder of the records. */
  readonly folder: string;
  /** Exit code of the tests. */
  readonly status: number;
}

async function readReport(
  api: ApiConfig,
  { folder, status }: TestRun,
  { cwd }: CommandContext,
): Promise<CoverageReport> {
  const file = join(api.output, "contract.json");
  const record = readRecords(folder, file);
  if (!record.contracts.includes(file)) {
    const others = record.contracts.length === 0 ? "" : `, only ${record.contracts.join(", ")}`;
    const failed = status === 0 ? "" : `The tests failed with exit code ${status}. `;
    throw new UsageError(
      `${failed}No service enforced ${showPath(file, cwd)} while the tests ran${others}. ` +
        "The tests must start the service, in their own process or in one with their environment.",
    );
  }
  const { contract, locate } = await loadModel(api);
  return createReport(new ContractCoverage(contract).list(), record, (pointer) => {
    const place = locate(pointer);
    return { file: showPath(place.file, cwd), line: place.line };
  });
}

async function writePage(
  html: string,
  api: ApiConfig,
  report: CoverageReport,
  { cwd }: CommandContext,
): Promise<void> {
  const path = resolve(cwd, html);
  const read = (file: string) =>
    existsSync(resolve(cwd, file)) ? readFileSync(resolve(cwd, file), "utf8") : undefined;
  const after = toHtml(showPath(api.root, cwd), report, read);
  await writeChanges([{ path, kind: "created", before: "", after }]);
}
