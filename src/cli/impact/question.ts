import type { Operation } from "tenon/core/legacy/model";

/** One of two contracts, as far as code sees it. */
export interface Generated {
  /** What Tenon generates from it: path within the output folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
}

export interface GeneratedSides {
  readonly base: Generated;
  readonly revision: Generated;
}

/** Where the project's own code is. */
export interface CodeProject {
  /** Absolute path of the tsconfig.json. */
  readonly configFile: string;
  /** Absolute path of the folder of generated files. */
  readonly output: string;
  /** Absolute path of the folder that paths are shown relative to. */
  readonly cwd: string;
}

/** The compiler cannot be asked; the message says why. */
export class CannotAsk extends Error {
  override readonly name = "CannotAsk";
}

/**
 * Names of generated files of code that are not the same to the compiler: comments make no difference to it.
 * @param isOfInterest Default: all.
 */
export function findChangedFiles(
  { base, revision }: GeneratedSides,
  isOfInterest: (name: string) => boolean = () => true,
): readonly string[] {
  const names = new Set([...base.files.keys(), ...revision.files.keys()]);
  return [...names].filter((name) => {
    if (!name.endsWith(".ts") || !isOfInterest(name)) return false;
    const [before, after] = [base.files.get(name), revision.files.get(name)];
    return before !== after && withoutComments(before) !== withoutComments(after);
  });
}

/** Tenon begins a comment on a line of its own, and a string never has a line's end in it. */
function withoutComments(text: string | undefined): string | undefined {
  return text?.replace(/^ *\/\*\*[^]*?\*\/\n|^\/\/.*\n/gm, "");
}
