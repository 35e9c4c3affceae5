import { once } from "node:events";
import { basename } from "node:path";
import { watch as watchFiles } from "chokidar";

/** Saves within this time count as one, in milliseconds. */
const QUIET = 50;

/** Files that can be part of a contract or a program. */
const RELEVANT = /\.(?:[cm]?tsx?|json|ya?ml)$/;

export interface Change {
  /** Absolute path. */
  readonly path: string;
  readonly kind: "add" | "change" | "unlink";
}

export interface WatchOptions {
  /** Absolute path of the folder to watch with all below it, except installed packages and hidden folders. */
  readonly folder: string;
  /** Gets all changes of a save at once. The next call waits until this one is done. */
  readonly onSave: (changes: readonly Change[]) => Promise<void>;
}

export interface Watch {
  /** Watches files outside the folder too. */
  add(paths: readonly string[]): void;
  close(): Promise<void>;
}

/** Watches a project; resolves once later saves are noticed. */
export async function watchProject({ folder, onSave }: WatchOptions): Promise<Watch> {
  const watcher = watchFiles(folder, {
    ignoreInitial: true,
    ignored: (path, stats) =>
      path !== folder &&
      (basename(path) === "node_modules" ||
        (basename(path).startsWith(".") && stats?.isFile() !== true) ||
        (stats?.isFile() === true && !RELEVANT.test(path))),
  });
  let pending: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  for (const kind of ["add", "change", "unlink"] as const) {
    watcher.on(kind, (path) => {
      pending.push({ path, kind });
      clearTimeout(timer);
      timer = setTimeout(() => {
        work = work.then(() => {
          const changes = pending;
          pending = [];
          return changes.length > 0 ? onSave(changes) : undefined;
        });
      }, QUIET);
    });
  }
  await once(watcher, "ready");
  return {
    add: (paths) => {
      watcher.add([...paths]);
    },
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
