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
  /** Absolute paths of the folders to watch, except installed packages and hidden folders below them. */
  readonly folders: readonly string[];
  /** How many levels below the folders to watch. Default: all. */
  readonly depth?: number;
  /** Gets all changes of a save at once. The next call waits until this one is done. */
  readonly onSave: (changes: readonly Change[]) => Promise<void>;
}

export interface Watch {
  /** Watches other files and folders too. */
  add(paths: readonly string[]): void;
  close(): Promise<void>;
}

/** Watches folders; resolves once later saves are noticed. */
export async function watchFolders({ folders, depth, onSave }: WatchOptions): Promise<Watch> {
  const watcher = watchFiles([...folders], {
    ignoreInitial: true,
    ...(depth !== undefined && { depth }),
    ignored: (path, stats) =>
      !folders.includes(path) &&
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
