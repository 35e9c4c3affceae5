import process from "node:process";
import { sep } from "node:path";
import { createTypeCheck, type TypeProblem } from "./type-check.js";

/** The argument of the process, as JSON. */
export interface TypeCheckSettings {
  /** Absolute path of the tsconfig.json. */
  readonly configFile: string;
  readonly cwd: string;
  /** Absolute paths of the folders of generated files. */
  readonly outputs: readonly string[];
}

/** The result of one check. */
export interface TypeCheckResult {
  /** Number of the request. */
  readonly number: number;
  readonly problems: readonly TypeProblem[];
  /** Absolute paths of all files of the program. */
  readonly files: readonly string[];
}

const { configFile, cwd, outputs } = JSON.parse(process.argv[2] ?? "{}") as TypeCheckSettings;
const isGenerated = (path: string) =>
  outputs.some((output) => path === output || path.startsWith(output + sep));
const check = createTypeCheck(configFile, { cwd, isGenerated });
let last = 0;

// Ctrl-C at a terminal reaches this process too; it ends with its parent.
process.on("SIGINT", () => undefined);
process.on("message", (number: number) => {
  last = number;
  // A check takes long, and only that of the last save is of interest.
  setImmediate(() => {
    if (number !== last) return;
    const result: TypeCheckResult = { number, problems: check.run(), files: check.files() };
    process.send?.(result);
  });
});
