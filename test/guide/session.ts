import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { close, listen } from "../support/http.js";
import { type PetStoreProcess, startServing } from "../support/petstore-process.js";
import { EXCUSES, type Step } from "./block.js";
import { applyDiff, insertText } from "./edit.js";
import { type FolderKind, type Folders, FOLDERS } from "./folders.js";
import { isShown, takeShown } from "./output.js";
import { type Background, Shell, waitFor } from "./shell.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Compilers that a page runs itself. */
const COMPILES = /\btsc\b|npm run (?:-s |--silent )?(?:types|build)/;

/** Lines of a page that are to be others, from 1, the last included. */
export interface Correction {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A page's steps in their order, in the folders that it asks for. */
export class Session {
  readonly #folders: Pick<Folders, "make" | "environment">;
  readonly #correct: ((correction: Correction) => void) | undefined;
  #folder = "";
  #shell: Shell | undefined;
  #background: Background | undefined;
  #service: PetStoreProcess | undefined;
  #key = "";
  /** Files that blocks have changed and nothing has looked at: their paths to their texts. */
  readonly #changed = new Map<string, string>();
  #ports: readonly (readonly [shown: string, real: string])[] = [];
  /** Whether a block has written TypeScript that nobody has compiled. */
  #isUncompiled = false;
  /** Folders that the page has left with such TypeScript. */
  readonly uncompiled: string[] = [];

  /** @param correct Takes what is shown otherwise than it is; without it that is an error. */
  constructor(folders: Pick<Folders, "make" | "environment">, correct?: (correction: Correction) => void) {
    this.#folders = folders;
    this.#correct = correct;
  }

  /** @throws {Error} with the reason why a step is not as the page has it. */
  async take(step: Step): Promise<void> {
    const { directives, language, text } = step;
    if (directives.start !== undefined) return this.#start(directives.start);
    if (directives.run !== undefined) return this.#runUnseen(directives.run);
    if (directives.stop !== undefined) return this.#stop();
    if (directives["not run"] !== undefined) {
      assertExcuse(directives["not run"]);
      return;
    }
    if (directives.from !== undefined) {
      assertExcerpt(directives.from, text);
      return;
    }
    if (directives.output !== undefined) return this.#awaitOutput(text, step.line);
    if (directives.write !== undefined) {
      return this.#change(directives.write, () => `${text}\n`);
    }
    if (directives.insert !== undefined) {
      const [, path = "", where = ""] = /^(\S+) (.*)$/.exec(directives.insert) ?? [];
      return this.#change(path, (source) => insertText(source, this.#toReal(text), where));
    }
    if (directives.edit !== undefined) {
      return this.#change(directives.edit, (source) => applyDiff(source, text));
    }
    if (language === "console") return this.#runConsole(step);
    if (language === "sh") return this.#runUnseen(text);
    throw new Error("The block is neither run nor compiled nor excused: see test/guide/block.ts");
  }

  /** Writes the files that nothing has looked at, and notes down a folder that is to be compiled. */
  async finish(): Promise<void> {
    if (this.#shell !== undefined) this.#save();
    if (this.#isUncompiled) {
      const { printed: folder } = await this.#open.run("pwd");
      this.uncompiled.push(folder.trim());
    }
    this.#isUncompiled = false;
  }

  /** Ends what runs. */
  async end(): Promise<void> {
    await this.#stop();
    this.#service?.kill("SIGTERM");
    await this.#service?.ended();
    this.#service = undefined;
  }

  async #start(kind: string): Promise<void> {
    await this.finish();
    await this.end();
    if (!(FOLDERS as readonly string[]).includes(kind))
      throw new Error(`start: ${kind} is none of ${FOLDERS.join(", ")}`);
    this.#folder = this.#folders.make(kind as FolderKind);
    this.#ports = [
      ["3000", await findPort()],
      ["4010", await findPort()],
    ];
    const env: NodeJS.ProcessEnv = { ...this.#folders.environment, PORT: this.#toReal("3000") };
    if (kind === "petstore") {
      const service = await startServing({ env: { PORT: this.#toReal("3000"), CORS_ORIGINS: "" } });
      this.#service = service;
      this.#key = service.calls.key;
      env["KEY"] = this.#key;
    }
    this.#shell = new Shell(this.#folder, env);
  }

  get #open(): Shell {
    if (this.#shell === undefined) throw new Error("Nothing says where it happens: <!-- start: … -->");
    return this.#shell;
  }

  async #runUnseen(command: string): Promise<void> {
    this.#save();
    const { code, printed } = await this.#open.run(this.#toReal(command));
    if (code !== 0) throw new Error(`Exit code ${code} of ${command}\n${printed}`);
    if (COMPILES.test(command)) this.#isUncompiled = false;
  }

  async #runConsole({ text, line, directives }: Step): Promise<void> {
    const commands = readCommands(text);
    if (commands.length === 0) throw new Error("No line starts with `$ `");
    this.#save();
    for (const [index, { command, shown, from }] of commands.entries()) {
      const isLast = index === commands.length - 1;
      if (isLast && directives.background !== undefined) {
        await this.#stop();
        this.#background = this.#open.start(this.#toReal(command));
        await this.#awaitOutput(shown, line + from);
        return;
      }
      const { code, printed } = await this.#open.run(this.#toReal(command));
      const seen = this.#toShown(printed);
      if (!isShown(shown, seen)) this.#differ({ shown, seen, command, line: line + from });
      const wanted = isLast ? Number(directives.exit ?? 0) : 0;
      if (code !== wanted) throw new Error(`Exit code ${code}, not ${wanted}, of ${command}\n${seen}`);
      if (code === 0 && COMPILES.test(command)) this.#isUncompiled = false;
    }
  }

  async #awaitOutput(shown: string, line: number): Promise<void> {
    const background = this.#background;
    if (background === undefined) throw new Error("Nothing runs in the background");
    this.#save();
    const look = () => takeShown(shown, this.#toShown(background.unseen));
    // When a page is written anew nobody knows what is to come.
    const isQuiet = this.#correct === undefined ? () => false : createQuiet(background);
    const left = await waitFor(look, () => background.isOver() || isQuiet());
    if (left?.trim() !== "") {
      const seen = this.#toShown(background.unseen);
      this.#differ({ shown, seen, command: "what is in the background", line });
    }
    background.unseen = "";
  }

  #differ(found: { shown: string; seen: string; command: string; line: number }): void {
    const { shown, seen, command, line } = found;
    if (this.#correct === undefined)
      throw new Error(`${command} prints:\n${seen}\nand not what is shown:\n${shown}`);
    const count = shown === "" ? 0 : shown.split("\n").length;
    this.#correct({ from: line, to: line + count - 1, text: seen.trimEnd() });
  }

  async #stop(): Promise<void> {
    await this.#background?.stop();
    this.#background = undefined;
  }

  /** Changes a file of the folder that the shell is in, once something looks: what is in the background sees all changes at once. */
  async #change(path: string, change: (source: string) => string): Promise<void> {
    const { printed } = await this.#open.run("pwd");
    const file = join(printed.trim(), path);
    const source = this.#changed.get(file) ?? (existsSync(file) ? readFileSync(file, "utf8") : "");
    this.#changed.set(file, this.#toReal(change(source)));
    if (path.endsWith(".ts")) this.#isUncompiled = true;
  }

  #save(): void {
    const write = () => {
      for (const [file, text] of this.#changed) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    };
    if (this.#background === undefined) write();
    else this.#background.hold(write);
    this.#changed.clear();
  }

  #toReal(text: string): string {
    const withKey = this.#key === "" ? text : text.replaceAll("petstore_…", this.#key);
    return this.#ports.reduce(
      (all, [shown, real]) => all.replace(new RegExp(`\\b${shown}\\b`, "g"), real),
      withKey,
    );
  }

  #toShown(text: string): string {
    const withPorts = this.#ports.reduce((all, [shown, real]) => all.replaceAll(real, shown), text);
    return withPorts.replaceAll(dirname(this.#folder), "…");
  }
}

interface Command {
  readonly command: string;
  readonly shown: string;
  /** Line of the block that the output starts in, from 0. */
  readonly from: number;
}

/** The commands of a session: `$ ` and the lines that a backslash continues, then what is shown of its output. */
function readCommands(text: string): Command[] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []));
  return starts.map((start, index) => {
    let from = start + 1;
    while (lines[from - 1]?.endsWith("\\") === true) from += 1;
    return {
      command: lines.slice(start, from).join("\n").slice(2),
      shown: lines.slice(from, starts[index + 1] ?? lines.length).join("\n"),
      from,
    };
  });
}

/** Whether nothing was printed for a while after something was. */
function createQuiet(background: Background): () => boolean {
  let seen = "";
  let since = Date.now();
  return () => {
    if (background.unseen !== seen) since = Date.now();
    seen = background.unseen;
    return seen !== "" && Date.now() - since > 15_000;
  };
}

async function findPort(): Promise<string> {
  const free = createServer();
  const port = await listen(free);
  await Promise.all([once(free, "close"), close(free)]);
  return String(port);
}

function assertExcuse(excuse: string): void {
  if (!(excuse in EXCUSES))
    throw new Error(`not run: ${excuse} is none of ${Object.keys(EXCUSES).join(", ")}`);
}

function assertExcerpt(path: string, text: string): void {
  const source = readFileSync(join(ROOT, path), "utf8")
    .split("\n")
    .map((line) => line.trim());
  const lines = text.split("\n").map((line) => line.trim());
  const isThere = source.some((_, at) => lines.every((line, index) => source[at + index] === line));
  if (!isThere) throw new Error(`The block is not in ${path}`);
}
