import process from "node:process";

type Load = () => Promise<unknown>;

export interface RunNamedOptions {
  /** The command before the name. */
  readonly usage: string;
  /** Modules that do their work when they are loaded, by the names that a command line may have. */
  readonly modules: Readonly<Record<string, Load>>;
  /** The module for a command line without a name. Default: a name is required. */
  readonly fallback?: Load;
}

/** Loads the module that the first argument names, with the arguments after it; exits with 2 when there is no such module. */
export async function runNamed({ usage, modules, fallback }: RunNamedOptions): Promise<void> {
  const name = process.argv[2];
  const isName = name !== undefined && !name.startsWith("-");
  const load = isName ? modules[name] : fallback;
  if (load === undefined) {
    const names = Object.keys(modules).join("|");
    process.stderr.write(`Usage: ${usage} ${fallback === undefined ? names : `[${names}]`} [options]\n`);
    process.exitCode = 2;
    return;
  }
  if (isName) process.argv.splice(2, 1);
  // Otherwise what is to be removed at the end would stay.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  await load();
}
