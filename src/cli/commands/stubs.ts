import { join, sep } from "node:path";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { chooseApis, loadModel, loadProject } from "../project/index.js";
import { planStubs, readWrittenFiles, type StubPlan } from "../stubs/index.js";
import { withProgress } from "../output/terminal.js";
import { writeNewFiles } from "../output/write-files.js";
import { showPath } from "../output/show-path.js";

/** The arguments and options of the command, which its help describes. */
export interface StubsOptions {
  readonly apis: readonly string[];
  readonly json?: boolean;
}

/**
 * Creates the missing handler files and prints the code that existing ones need.
 * @returns 1 when an existing file needs code, or has a handler without an operation.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runStubs(
  { apis, json = false }: StubsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const all = await loadProject(context.cwd);
  const selected = chooseApis(all, apis);
  const plans = await withProgress(context, async (report) => {
    const found: (StubPlan & { readonly folder: string })[] = [];
    for (const api of selected) {
      const { name, handlers: folder, output, importExtension } = api;
      if (folder === undefined) continue;
      report(`Looking for the handlers of ${name}`);
      const { contract } = await loadModel(api);
      // One API's handlers may be in a folder within another's.
      const others = all.flatMap(({ handlers }) => handlers ?? []);
      const written = await readWrittenFiles(
        folder,
        others.filter((other) => other.startsWith(folder + sep)),
      );
      found.push({ folder, ...planStubs(contract.operations, { folder, output, written, importExtension }) });
    }
    return found;
  });
  if (plans.length === 0)
    throw new UsageError("No API sets `x-tenon.handlers`. Add `handlers: src/handlers`.");

  const show = (folder: string, name: string) => showPath(join(folder, name), context.cwd);
  await writeNewFiles(
    new Map(
      plans.flatMap(({ folder, create }) => create.map(({ name, text }) => [join(folder, name), text])),
    ),
  );
  const created = plans.flatMap(({ folder, create }) => create.map(({ name }) => show(folder, name)));
  const lacks = plans.flatMap((plan) =>
    plan.missing.map(({ name, ...code }) => ({ file: show(plan.folder, name), ...code })),
  );
  const orphans = plans.flatMap((plan) =>
    plan.orphans.map(({ name, ...orphan }) => ({ file: show(plan.folder, name), ...orphan })),
  );
  if (json) {
    printJson({ created, lacks, orphans }, context);
  } else {
    for (const file of created) context.stdout.write(`created  ${file}\n`);
    for (const { file, missing, insert } of lacks) {
      context.stdout.write(`missing  ${file}  ${missing.join(", ")}\n`);
      for (const { at, where, text } of insert) {
        const place = at === undefined ? file : `${file}:${at.line}:${at.column}`;
        context.stdout.write(`paste at ${place}, ${where}:\n${text}\n`);
      }
    }
    for (const { file, handler, renamedTo } of orphans) {
      const hint =
        renamedTo === undefined
          ? "remove or rename it"
          : `if its operation is ${renamedTo} now, run "${context.program} rename ${handler} ${renamedTo}"`;
      context.stdout.write(`orphan   ${file}  ${handler} is for no operation; ${hint}\n`);
    }
    if (created.length + lacks.length === 0) context.stdout.write("Every operation has a handler.\n");
  }
  return lacks.length + orphans.length > 0 ? 1 : 0;
}
