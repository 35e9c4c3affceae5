import { statSync, unwatchFile, watchFile } from "node:fs";
import { basename } from "node:path";
import { watch as watchFiles } from "chokidar";
import { toVisible } from "./visible.js";
import { describeReadError } from "./write-files.js";

/** Saves within this time count as one, in milliseconds. */
const QUIET = 50;

/** Interval of the checks of a file that cannot be watched, in milliseconds. */
const POLL = 500;

/** Files that can be part of a contract, its docs or a program. */
const RELEVANT = /\.(?:[cm]?tsx?|json|ya?ml|md|svg|png|jpe?g|gif|webp|avif)$/;

/** Codes of errors that more watched paths than the system allows cause. */
const LIMITS = ["EMFILE", "ENFILE", "ENOSPC"];

export interface Change {
  /** Absolute path. */
  readonly path: string;
  readonly kind: "add" | "change" | "unlink";
}

export interface WatchOptions {
  /**
   * Absolute paths of the folders to watch, except installed packages, hidden folders and links to folders below them. A link may lead
   * in a circle or to all of `/proc`, and the paths of imported files have no links.
   */
  readonly folders: readonly string[];
  /** How many levels below the folders to watch. Default: all. */
  readonly depth?: number;
  /** Gets each change at once, also while a save is followed. */
  readonly onNotice?: (change: Change) => void;
  /** Gets all changes of a save at once. The next call waits until this one is done. */
  readonly onSave: (changes: readonly Change[]) => Promise<void>;
  /** Gets a line about each path that cannot be watched. */
  readonly onUnwatched: (line: string) => void;
}

export interface Watch {
  /** Does work between the saves, unless it is closed: a save waits for earlier work, and work for earlier saves. */
  enqueue(task: () => Promise<void>): Promise<void>;
  /** Watches other files and folders too, unless it is closed. */
  add(paths: readonly string[]): void;
  close(): Promise<void>;
}

/** Watches folders; resolves once later saves are noticed. */
export async function watchFolders(options: WatchOptions): Promise<Watch> {
  const { folders, depth, onNotice, onSave, onUnwatched } = options;
  const watcher = watchFiles([...folders], {
    ignoreInitial: true,
    ...(depth !== undefined && { depth }),
    ignored: (path, stats) =>
      !folders.includes(path) &&
      (basename(path) === "node_modules" ||
        (basename(path).startsWith(".") && stats?.isFile() !== true) ||
        (stats?.isFile() === true && !RELEVANT.test(path)) ||
        (stats?.isSymbolicLink() === true && isFolder(path))),
  });
  let pending: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  // Whatever starts after the end would keep the process alive.
  let isClosed = false;
  const enqueue: Watch["enqueue"] = (task) => {
    const done = work.then(() => (isClosed ? undefined : task()));
    work = done.catch(() => undefined);
    return done;
  };
  const notice = (change: Change) => {
    if (isClosed) return;
    pending.push(change);
    onNotice?.(change);
    clearTimeout(timer);
    timer = setTimeout(() => {
      void enqueue(async () => {
        const changes = pending;
        pending = [];
        if (changes.length > 0) await onSave(changes);
      });
    }, QUIET);
  };
  for (const kind of ["add", "change", "unlink"] as const)
    watcher.on(kind, (path) => {
      notice({ path, kind });
    });
  const unwatched = new Set<string>();
  watcher.on("error", (error) => {
    const cause = error as NodeJS.ErrnoException;
    const { code = "", path = "" } = cause;
    // A limit of the system concerns every further path.
    const key = LIMITS.includes(code) ? code : path;
    if (isClosed || unwatched.has(key)) return;
    unwatched.add(key);
    onUnwatched(toVisible(`cannot watch ${path}: ${describeReadError(cause)}`));
    if (key !== path || !RELEVANT.test(path)) return;
    // Notices when the file can be read again, which needs no permission to read it.
    watchFile(path, { interval: POLL }, () => {
      notice({ path, kind: "change" });
    });
  });
  // `once` of node:events would also reject on an error.
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return {
    enqueue,
    add: (paths) => {
      // chokidar would watch again.
      if (!isClosed) watcher.add([...paths]);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      for (const path of unwatched) unwatchFile(path);
      await watcher.close();
    },
  };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
