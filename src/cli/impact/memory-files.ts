import { normalize } from "node:path";
import ts from "#typescript";

/** A folder with exactly these files, whatever is on disk. */
export interface MemoryFolder {
  /** Absolute path. */
  readonly path: string;
  /** Path within the folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Creates compiler hosts that read one folder from memory and everything else from disk. They never write, and share the nodes
 * of files on disk.
 * @returns creates the host of one program.
 */
export function withMemory(options: ts.CompilerOptions): (folder: MemoryFolder) => ts.CompilerHost {
  const disk = ts.createCompilerHost(options);
  const sources = new Map<string, ts.SourceFile | undefined>();

  return ({ path, files }) => {
    const root = toSlashes(path);
    const inMemory = new Map([...files].map(([name, text]) => [`${root}/${name}`, text]));
    const folders = new Set([...inMemory.keys()].flatMap((name) => foldersAbove(name)));
    const isOurs = (name: string) => isWithin(name, root);
    return {
      ...disk,
      // Types need no comments, and most of a generated file is comments.
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
      writeFile: () => undefined,
      fileExists: (name) => (isOurs(name) ? inMemory.has(name) : disk.fileExists(name)),
      readFile: (name) => (isOurs(name) ? inMemory.get(name) : disk.readFile(name)),
      // The folders above may not exist on disk either before the first generation.
      directoryExists: (name) => folders.has(name) || (!isOurs(name) && ts.sys.directoryExists(name)),
      realpath: (name) => (isOurs(name) ? name : (disk.realpath?.(name) ?? name)),
      getSourceFile(name, version) {
        if (isOurs(name)) {
          const text = inMemory.get(name);
          return text === undefined ? undefined : ts.createSourceFile(name, text, version);
        }
        if (!sources.has(name)) sources.set(name, disk.getSourceFile(name, version));
        return sources.get(name);
      },
    };
  };
}

/** Tests whether a path, as the compiler writes it, is a folder or below it. */
export function isWithin(name: string, folder: string): boolean {
  const root = toSlashes(folder);
  return name === root || name.startsWith(`${root}/`);
}

/** A path as the compiler writes it: with `/`, also on Windows. */
export function toSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** A path of the compiler as the system and the watcher write it: with `\\` on Windows. */
export function fromCompiler(path: string): string {
  return normalize(path);
}

/** `/a/b/c.ts` becomes `/a/b` and `/a`. */
function foldersAbove(name: string): readonly string[] {
  const above = name.slice(0, name.lastIndexOf("/"));
  return above === "" ? [] : [above, ...foldersAbove(above)];
}
