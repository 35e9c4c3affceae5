import ts from "#typescript";

/** A folder whose files are these and no others, whatever is on disk. */
export interface MemoryFolder {
  /** Absolute path. */
  readonly path: string;
  /** Path within the folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
}

/** Makes hosts of compilers that read from disk, and from memory what is in a folder. Nothing is ever written. */
export interface MemoryHosts {
  /** A host for one program; what is on disk is parsed once, so that a node of one program is a node of the others too. */
  create(folder: MemoryFolder): ts.CompilerHost;
}

export function createMemoryHosts(options: ts.CompilerOptions): MemoryHosts {
  const disk = ts.createCompilerHost(options);
  const sources = new Map<string, ts.SourceFile | undefined>();

  return {
    create({ path, files }) {
      const root = toSlashes(path);
      const inMemory = new Map([...files].map(([name, text]) => [`${root}/${name}`, text]));
      const folders = new Set([...inMemory.keys()].flatMap((name) => foldersAbove(name)));
      const isOurs = (name: string) => isWithin(name, root);
      return {
        ...disk,
        // Types need no comments, and what is generated has more of them than of anything else.
        jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
        writeFile: () => undefined,
        fileExists: (name) => (isOurs(name) ? inMemory.has(name) : disk.fileExists(name)),
        readFile: (name) => (isOurs(name) ? inMemory.get(name) : disk.readFile(name)),
        // Folders above may be in memory alone too: nothing may have been generated yet.
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
    },
  };
}

/** Whether a path, as the compiler writes it, is a folder or below it. */
export function isWithin(name: string, folder: string): boolean {
  const root = toSlashes(folder);
  return name === root || name.startsWith(`${root}/`);
}

/** A path as the compiler writes it. */
export function toSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** `/a/b/c.ts` becomes `/a/b` and `/a`. */
function foldersAbove(name: string): readonly string[] {
  const above = name.slice(0, name.lastIndexOf("/"));
  return above === "" ? [] : [above, ...foldersAbove(above)];
}
