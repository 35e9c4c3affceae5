import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import {
  buildChangelog,
  type Changelog,
  listStates,
  openHistory,
  parseRange,
  toMarkdown,
} from "../changelog/index.js";
import { createChangelogPage } from "../docs/changes/index.js";
import { type CommandContext, type ExitCode, UsageError } from "../output/context.js";
import { withProgress } from "../output/terminal.js";
import { cannotRead, ignoreMissing } from "../output/write-files.js";
import { chooseApi, loadProject, writeChanges } from "../project/index.js";
import { showPath } from "../output/show-path.js";

type ChangelogFormat = "markdown" | "json" | "html";

/** The argument and options of the command, which its help describes. */
export interface ChangelogOptions {
  /** `v1.0.0..v2.0.0`, or `v1.0.0..` up to the working tree. */
  readonly range?: string | undefined;
  readonly api?: string;
  readonly tags?: string;
  readonly format?: ChangelogFormat;
  readonly out?: string;
}

/**
 * Prints or writes the history of a contract.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runChangelog(options: ChangelogOptions, context: CommandContext): Promise<ExitCode> {
  const { cwd, stdout, stderr, now = Date.now } = context;
  const format = options.format ?? toFormat(options.out);
  const range = options.range === undefined ? undefined : parseRange(options.range);
  const api = chooseApi(await loadProject(cwd), options.api);
  const history = await openHistory(api.root, cwd);
  if (history.isShallow) {
    const why = "This clone is shallow: git does not know all versions and earlier file names";
    if (range === undefined) {
      const fix = 'Run "git fetch --unshallow --tags", or set fetch-depth: 0 in a GitHub workflow';
      throw new UsageError(`${why}. ${fix}.`);
    }
    stderr.write(`${why}; the changelog leaves out older changes.\n`);
  }
  const file = showPath(api.root, cwd);
  if (!history.isCommitted) stderr.write(`${file} is in no commit; earlier names of it are unknown.\n`);
  const changelog = await withProgress(context, async (onStep) => {
    const states = await listStates(range, { history, api, cwd, pattern: options.tags, now: now() });
    return buildChangelog(states, { api, cwd, onStep });
  });
  if (changelog === undefined) {
    throw new UsageError(`No revision in the range contains ${file}, under its current or an earlier name.`);
  }
  for (const { revision, reason } of changelog.unreadable)
    stderr.write(`${revision} was skipped: ${reason}\n`);
  const text = WRITERS[format](changelog);
  if (options.out === undefined) stdout.write(text);
  else await write(resolve(cwd, options.out), text, context);
  return 0;
}

const WRITERS: Readonly<Record<ChangelogFormat, (changelog: Changelog) => string>> = {
  markdown: toMarkdown,
  json: (changelog) => `${JSON.stringify(changelog, null, 2)}\n`,
  html: createChangelogPage,
};

const ENDINGS: Readonly<Record<string, ChangelogFormat>> = {
  ".md": "markdown",
  ".json": "json",
  ".html": "html",
};

function toFormat(out: string | undefined): ChangelogFormat {
  if (out === undefined) return "markdown";
  const format = ENDINGS[extname(out)];
  if (format !== undefined) return format;
  throw new UsageError(`The format of ${out} is unknown; end it in .md, .json or .html, or add --format.`);
}

/** @throws {FileError} */
async function write(path: string, after: string, { cwd, stdout }: CommandContext): Promise<void> {
  const before = await readFile(path, "utf8").catch(ignoreMissing).catch(cannotRead(path));
  const kind = before === undefined ? "created" : before === after ? "unchanged" : "changed";
  await writeChanges([{ path, kind, before: before ?? "", after }]);
  stdout.write(`${kind}  ${showPath(path, cwd)}\n`);
}
