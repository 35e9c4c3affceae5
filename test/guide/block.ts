/**
 * Reads the fenced blocks of a page of Markdown, and what is to be done with each. Every block of README.md and of the guide is
 * run, written into a file, found in a file of this repository, or excused; a page that has any other fails its test.
 *
 * A `console` block is a session: a line that starts with `$ ` is run, in Bash, and the lines below it are what it prints. A `sh`
 * block is run too, and must succeed; what it prints is not compared. Settings (`export`) and `cd` last until the folder changes.
 * In what is shown, `…` stands for the rest of a line, and a line that is only `…` for any number of lines; what differs from run to run,
 * times for example, is named in `output.ts`. Ports 3000 and 4010 stand for free ones.
 *
 * All else is said in comments before the block, each in one of its own:
 *
 * | Comment                                        | Meaning                                                                    |
 * | ---------------------------------------------- | -------------------------------------------------------------------------- |
 * | `<!-- start: empty -->`                        | what follows happens in a new folder, see `folders.ts` for which there are |
 * | `<!-- write: src/a.ts -->`                     | the block is that file                                                     |
 * | `<!-- insert: a.yaml after "text" -->`         | the block goes below the line with that text; `before` puts it above       |
 * | `<!-- edit: a.ts -->`                          | lines with `-` become those with `+`; the others say where                 |
 * | `<!-- exit: 1 -->`                             | the exit code of the last command, where it is not 0                       |
 * | `<!-- background -->`                          | the last command goes on running, once it has printed what is shown        |
 * | `<!-- output -->`                              | the block is what the command in the background prints next, in any order  |
 * | `<!-- from: test/a.ts -->`                     | the block is an excerpt of that file of this repository                    |
 * | `<!-- not run: container -->`                  | an excuse out of `EXCUSES` below                                           |
 * | `<!-- run: command -->`, `<!-- stop -->`       | runs what readers need not see; ends (Ctrl-C) what is in the background    |
 *
 * `prettier-ignore` keeps YAML indented as it is to be pasted. `start`, `run` and `stop` may stand anywhere. TypeScript that a block has put into a folder is compiled after the last page.
 * `UPDATE_FIXTURES=1` writes what commands printed into the page where it is not what is shown.
 */

/** Why a block may stay unrun. */
export const EXCUSES = {
  "other test": "A test of its own runs it.",
  container: "There is no container engine where tests run.",
  "other host": "It needs a service that is not on this machine, such as GitHub or Prometheus.",
  "other tool":
    "Code or output of another tool, which is not installed here; seen by whoever wrote the page.",
  registry: "It asks the npm registry; `test/cli/commands/package.test.ts` does so.",
  long: "It takes minutes.",
  shape: "It shows a form to fill in, and not one case of it.",
} as const;

const DIRECTIVES = [
  "start",
  "write",
  "insert",
  "edit",
  "exit",
  "background",
  "output",
  "from",
  "not run",
  "run",
  "stop",
] as const;

export type Directives = Partial<Record<(typeof DIRECTIVES)[number], string>>;

/** Something of a page, in its order: a block with its comments, or comments that stand alone. */
export interface Step {
  /** Line of the page that the text starts in, from 1. */
  readonly line: number;
  /** What the fence says, such as `ts`; undefined for comments alone. */
  readonly language?: string;
  readonly text: string;
  readonly directives: Directives;
}

/** What may stand without a block. */
const ALONE: readonly string[] = ["start", "run", "stop"];

/**
 * Reads a page.
 * @throws {Error} with the line of a comment that is not understood, or belongs to a block and has none.
 */
export function readSteps(markdown: string): Step[] {
  const lines = markdown.split("\n");
  const steps: Step[] = [];
  let directives: Directives = {};
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const comment = /^\s*<!--\s*(.*?)\s*-->\s*$/.exec(line)?.[1];
    const fence = /^(\s*)(`{3,})(\S*)/.exec(line);
    if (comment === "prettier-ignore") continue;
    if (comment !== undefined) {
      const directive = toDirective(comment, at + 1);
      const [name = ""] = Object.keys(directive);
      if (ALONE.includes(name)) steps.push({ line: at + 1, text: "", directives: directive });
      else directives = { ...directives, ...directive };
    } else if (fence !== null) {
      const [, indent = "", marks = "", language = ""] = fence;
      const end = lines.findIndex((other, index) => index > at && other.trim() === marks);
      if (end === -1) throw new Error(`Line ${at + 1}: the block has no end`);
      const text = lines
        .slice(at + 1, end)
        .map((other) => (other.startsWith(indent) ? other.slice(indent.length) : other))
        .join("\n");
      steps.push({ line: at + 2, language, text, directives });
      directives = {};
      at = end;
    } else if (line.trim() !== "" && Object.keys(directives).length > 0) {
      throw new Error(`Line ${at + 1}: a comment above is for a block, and there is none`);
    }
  }
  return steps;
}

function toDirective(comment: string, line: number): Directives {
  const [, name = "", value = ""] = /^([a-z ]+?)(?::\s*(.*))?$/s.exec(comment) ?? [];
  const known = DIRECTIVES.find((directive) => directive === name);
  if (known === undefined) throw new Error(`Line ${line}: "${comment}" is none of ${DIRECTIVES.join(", ")}`);
  return { [known]: value };
}
