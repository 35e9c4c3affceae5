import { realpath, stat } from "node:fs/promises";
import { relative } from "node:path";
import { formatDiagnostic } from "../impact/index.js";
import type { CommandContext, ExitCode } from "../output/context.js";
import { count } from "../output/count.js";
import { withProgress } from "../output/terminal.js";
import { WriteError } from "../output/write-files.js";
import { type FileChange, loadProject, writeChanges } from "../project/index.js";
import { type EditedFile, listChangedLines, planRename } from "../rename/index.js";

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
  const { edited, generated, errors } = await withProgress(context, async (report) => {
    report(`Looking for ${options.from}`);
    return planRename({ ...options, apis: await loadProject(cwd), cwd });
  });
  const changes = [...(await Promise.all(edited.map(toChange))), ...generated];
  if (!dryRun) await writeChanges(changes);
  for (const file of edited)
    for (const { line, before, after } of listChangedLines(file))
      stdout.write(`${relative(cwd, file.path)}:${line}\n  - ${before}\n  + ${after}\n`);
  const written = changes.filter(({ kind }) => kind !== "unchanged").length;
  const verb = dryRun ? "would change" : "changed";
  const end = dryRun ? "; nothing was written" : "";
  stdout.write(`${count(written, "file")} ${verb}, ${written - edited.length} of them generated${end}\n`);
  for (const error of errors) stderr.write(`${formatDiagnostic(error, cwd)}\n`);
  return errors.length > 0 ? 1 : 0;
}

/** @throws {WriteError} for a file that its owner may not write. Replacing the file would circumvent that. */
async function toChange({ path, before, after }: EditedFile): Promise<FileChange> {
  // A link stays one.
  const real = await realpath(path);
  if (((await stat(real)).mode & 0o222) === 0)
    throw new WriteError(path, Object.assign(new Error("The file is read-only"), { code: "EACCES" }));
  return { path: real, kind: "changed", before, after };
}
