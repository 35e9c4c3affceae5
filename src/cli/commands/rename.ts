import { formatDiagnostic } from "../impact/index.js";
import type { CommandContext, ExitCode } from "../output/context.js";
import { count } from "../output/count.js";
import { toVisible } from "../output/visible.js";
import { withProgress } from "../output/terminal.js";
import { listChangedLines, loadProject, toFileChange, writeChanges } from "../project/index.js";
import { planRename } from "../rename/index.js";
import { showPath } from "../output/show-path.js";

/** Maximum number of printed places, and of characters of each line. */
const MOST_PLACES = 50;
const MOST_TEXT = 100;

/** The arguments and options of the command, which its help describes. */
export interface RenameCommandOptions {
  readonly from: string;
  readonly to: string;
  readonly api?: string;
  readonly dryRun?: boolean;
}

/**
 * Renames an operation in the contract and in the code that uses its generated names, and generates again.
 * @returns 1 when the code has type errors with the new name.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runRename(
  { dryRun = false, ...options }: RenameCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { cwd, stdout, stderr } = context;
  const { edited, generated, errors, remaining } = await withProgress(context, async (report) => {
    report(`Looking for ${options.from}`);
    return planRename({ ...options, apis: await loadProject(cwd), cwd });
  });
  const changes = [...(await Promise.all(edited.map(toFileChange))), ...generated];
  if (!dryRun) await writeChanges(changes);
  for (const file of edited)
    for (const { line, before, after } of listChangedLines(file))
      stdout.write(`${showPath(file.path, cwd)}:${line}\n  - ${before}\n  + ${after}\n`);
  const written = changes.filter(({ kind }) => kind !== "unchanged").length;
  const verb = dryRun ? "would change" : "changed";
  const end = dryRun ? "; nothing was written" : "";
  stdout.write(`${count(written, "file")} ${verb}, ${written - edited.length} of them generated${end}\n`);
  for (const error of errors) stderr.write(`${formatDiagnostic(error, cwd)}\n`);
  if (remaining.length > 0) {
    stdout.write(
      `${options.from} stays in ${count(remaining.length, "line")}; change it where it means the operation:\n`,
    );
    for (const { file, line, text } of remaining.slice(0, MOST_PLACES))
      stdout.write(toVisible(`  ${showPath(file, cwd)}:${line}  ${text.slice(0, MOST_TEXT)}`) + "\n");
    if (remaining.length > MOST_PLACES) stdout.write(`  and ${remaining.length - MOST_PLACES} more\n`);
  }
  return errors.length > 0 ? 1 : 0;
}
