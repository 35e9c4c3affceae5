import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { type CommandContext, type ExitCode, UsageError } from "../output/context.js";
import {
  createPackageJson,
  findOwnSource,
  PACKAGE_ROOT,
  readOwnPackage,
  toProblemDetails,
} from "../init/index.js";
import { quoteForShell } from "../output/shell.js";
import { cannotRead, ignoreMissing, writeNewFiles } from "../output/write-files.js";

/** Files that the folder may already contain: those of a new repository. */
const IGNORED = /^(?:\.git|\.gitattributes|\.DS_Store|README(?:\.\w+)?|LICENSE(?:\.\w+)?)$/i;

/** The packages that the service is to be installed from. */
const PACKAGE = /^tenon-(?:cli-)?\d[\w.+-]*\.tgz$/;

export interface InitOptions {
  /** Folder of the new service, relative to the current one. */
  readonly folder: string;
  /** Format of error bodies: `application/json`, or problem details (RFC 9457). */
  readonly errors: "json" | "problem";
}

/**
 * Writes a small service, complete with its contract, docs and a test, and prints the two commands that run it.
 * @throws {UsageError} when the folder contains other files.
 * @throws {WriteError} after the folder is restored.
 */
export async function runInit(options: InitOptions, context: CommandContext): Promise<ExitCode> {
  const { cwd, stdout } = context;
  const folder = resolve(cwd, options.folder);
  const found = (await readdir(folder).catch(ignoreMissing).catch(cannotRead(folder))) ?? [];
  const kept = await Promise.all(
    found.map(async (name) => IGNORED.test(name) || (await holdsPackages(join(folder, name)))),
  );
  const others = found.filter((_, index) => !kept[index]);
  if (others.length > 0) {
    const some = others.slice(0, 5).join(", ") + (others.length > 5 ? ", …" : "");
    throw new UsageError(
      `A new service needs an empty folder, and there is already ${some}. Name another one.`,
    );
  }
  const own = readOwnPackage();
  const source = findOwnSource(PACKAGE_ROOT, folder, own.version);
  const manifest = createPackageJson({ name: basename(folder), source, own });
  const files = await readTemplate(folder, options);
  await writeNewFiles(files.set(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`));

  const path = relative(cwd, folder);
  // A line for each command: PowerShell 5 has no `&&`.
  // A path that begins like an option needs `./`.
  const target = path.startsWith("-") ? `./${path}` : path;
  const enter = path === "" ? "" : `  cd ${/^[\w./-]+$/.test(target) ? target : quote(target)}\n`;
  stdout.write(
    `A service is in ${path === "" ? "this folder" : path}. Run it:\n\n${enter}  npm install\n  npm run dev\n`,
  );
  return 0;
}

/** Tests whether a path is a package of Tenon, or a folder that contains only such packages. */
async function holdsPackages(path: string): Promise<boolean> {
  if (PACKAGE.test(basename(path))) return true;
  const names = await readdir(path).catch(() => []);
  return names.length > 0 && names.every((name) => PACKAGE.test(name));
}

/** A shell looks for variables in double quotes; other shells than those of Unix know no other quotes. */
function quote(path: string): string {
  return /["$`!]/.test(path) ? quoteForShell(path) : `"${path}"`;
}

/** The template's files: where they go to text. */
async function readTemplate(folder: string, { errors }: InitOptions): Promise<Map<string, string>> {
  const template = join(PACKAGE_ROOT, "template");
  const entries = await readdir(template, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }): Promise<[string, string]> => {
        // npm would leave a .gitignore out of the package that the template comes in.
        const target = join(
          folder,
          relative(template, parentPath),
          name === "gitignore" ? ".gitignore" : name,
        );
        const path = relative(template, join(parentPath, name)).split(sep).join("/");
        const text = await readFile(join(parentPath, name), "utf8");
        return [target, errors === "problem" ? toProblemDetails(path, text) : text];
      }),
    ),
  );
}
