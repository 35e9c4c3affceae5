import type { Operation } from "tenon/core/model";

/** One of two contracts, as code sees it. */
export interface Generated {
  /** Its generated files: path in the output folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
}

export interface GeneratedSides {
  readonly base: Generated;
  readonly revision: Generated;
}

/** The location of the project's own code. */
export interface CodeProject {
  /** Absolute path of the tsconfig.json. */
  readonly configFile: string;
  /** Absolute path of the folder of generated files. */
  readonly output: string;
  /** Absolute path of the folder that printed paths are relative to. */
  readonly cwd: string;
}

/** The compiler cannot check the code; the message has the reason. */
export class CannotAsk extends Error {
  override readonly name = "CannotAsk";
}

/**
 * Lists the generated files of code that differ in more than comments.
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

/** A generated comment starts on its own line, and no generated string contains a line break. */
function withoutComments(text: string | undefined): string | undefined {
  return text?.replace(/^ *\/\*\*[^]*?\*\/\n|^\/\/.*\n/gm, "");
}
