import { dirname, isAbsolute, join } from "node:path";
import { ContractError } from "tenon/core/document";
import type { CommandContext } from "./context.js";
import { writeProblems } from "./format-problem.js";
import { toVisible } from "./visible.js";
import { type Watch, watchFolders } from "./watch.js";
import { showPath } from "./show-path.js";

export interface FollowOptions {
  /** Absolute paths of the files of the contracts; URLs are not followed. */
  readonly files: readonly string[];
  /**
   * Serves the saved contracts, and resolves to their files.
   * @throws {ContractError} with the problems, which are printed.
   */
  readonly reload: () => Promise<readonly string[]>;
  readonly context: CommandContext;
}

/** Reloads contracts that are served whenever redocly.yaml or one of their files is saved. */
export async function followSaves({ files: first, reload, context }: FollowOptions): Promise<Watch> {
  const { cwd, stdout, stderr } = context;
  const config = join(cwd, "redocly.yaml");
  let files = first;
  const watch = await watchFolders({
    folders: toFolders([...files, config]),
    depth: 0,
    onUnwatched: (line) => stderr.write(`tenon: ${line}\n`),
    onSave: async (changes) => {
      const saved = changes.find(({ path }) => path === config || files.includes(path));
      if (saved === undefined) return;
      try {
        files = await reload();
        watch.add(toFolders(files));
        stdout.write(`tenon: reloaded ${toVisible(showPath(saved.path, cwd))}\n`);
      } catch (error) {
        if (error instanceof ContractError) writeProblems(error.problems, stderr, context);
        else stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        stdout.write("tenon: the contract has errors; the last good one is still served\n");
      }
    },
  });
  return watch;
}

/** Folders rather than files are watched, because editors replace a file that they save. */
function toFolders(files: readonly string[]): readonly string[] {
  return [...new Set(files.filter(isAbsolute).map(dirname))];
}
