import { once } from "node:events";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandContext } from "../output/context.js";
import { count } from "../output/count.js";
import { toVisible, toVisibleLines } from "../output/visible.js";
import { type Change, watchFolders } from "../output/watch.js";
import { FileError } from "../output/write-files.js";
import type { ApiConfig } from "../project/index.js";
import { Contracts } from "./contracts.js";
import { DocsBuilder } from "./docs.js";
import { ImpactFollower } from "./impact.js";
import { findImports } from "./imports.js";
import { createService, type Service, type ServiceOptions } from "./service.js";
import { TypeFollower } from "./type-follower.js";
import { showPath } from "../output/show-path.js";

/** Tenon's own sources. A project that contains them, as Tenon's repository does, may change them. */
const OWN = fileURLToPath(new URL("../../tenon", import.meta.url));

/** Files that only the docs have: guides and pictures. */
const DOCS_FILE = /\.(?:md|svg|png|jpe?g|gif|webp|avif)$/;

interface SessionOptions extends Pick<ServiceOptions, "main" | "startLimit" | "inspect"> {
  readonly apis: readonly ApiConfig[];
  /** Absolute path of the tsconfig.json. */
  readonly configFile: string;
  /** Checks types after a restart. */
  readonly checksTypes: boolean;
  readonly context: CommandContext;
  /** Ends the session. */
  readonly signal: AbortSignal;
}

/**
 * Runs the service and follows every save: lints the contracts and generates code from them, restarts the service, and then checks
 * types. While a contract has errors or the new service does not start, the last good service responds. Files that the service does
 * not import, such as tests, are checked only.
 */
export class DevSession {
  readonly #options: SessionOptions;
  readonly #types: TypeFollower | undefined;
  readonly #service: Service;
  readonly #contracts: Contracts;
  readonly #docs: DocsBuilder;
  readonly #impact: ImpactFollower;
  /** Absolute paths of the files that the service imports. */
  #imports: ReadonlySet<string> = new Set();
  /** True if the running service differs from the saved files. */
  #isStale = true;
  /** Number of services that a save replaced while they started. */
  #replaced = 0;
  /** True if types were not checked since a file of the program changed. */
  #isUnchecked = true;
  /** True if the docs differ from the contract of the running service. */
  #hasOldDocs = true;

  /** @throws {UsageError} when tsx is not installed. */
  constructor(options: SessionOptions) {
    const { apis, main, configFile, checksTypes, startLimit, inspect, context } = options;
    const { cwd } = context;
    this.#options = options;
    if (checksTypes)
      this.#types = new TypeFollower({ configFile, cwd, outputs: apis.map(({ output }) => output) });
    this.#service = createService({
      main,
      cwd,
      startLimit,
      inspect,
      onEnd: (how) => {
        this.#print(`the service ended ${how}; save a file to start it again`);
      },
    });
    this.#contracts = new Contracts(apis, context);
    this.#docs = new DocsBuilder(cwd);
    this.#impact = new ImpactFollower({
      configFile,
      cwd,
      print: (lines) => {
        if (lines.length > 0) this.#print(lines.join("\n"));
      },
    });
  }

  /**
   * Runs until the signal.
   * @throws {FileError} when the first generated files cannot be written.
   */
  async run(): Promise<void> {
    const { signal, context } = this.#options;
    const stopped = signal.aborted ? Promise.resolve() : once(signal, "abort");
    const watch = await watchFolders({
      folders: [context.cwd],
      onUnwatched: (text) => {
        this.#print(text);
      },
      onNotice: (change) => {
        const matters = this.#imports.has(change.path) || this.#contracts.concerns(change);
        if (matters && !this.#isGenerated(change.path) && this.#service.cancelStart()) this.#replaced += 1;
      },
      onSave: async (changes) => {
        await this.#save(changes);
        watch.add(this.#contracts.files);
      },
    });
    try {
      // A save during the first start waits for its end.
      const started = watch.enqueue(async () => {
        await this.#follow();
        watch.add(this.#contracts.files);
      });
      await Promise.race([started, stopped]);
      await stopped;
    } finally {
      await watch.close();
      await this.#service.stop();
      this.#contracts.close();
      this.#docs.close();
      this.#types?.close();
      this.#impact.cancel();
    }
  }

  async #save(changes: readonly Change[]): Promise<void> {
    const { cwd } = this.#options.context;
    // Generated files are saved, too.
    const edited = changes.filter(({ path }) => this.#contracts.isEdited(path));
    for (const { path } of edited)
      this.#print(`${toVisible(showPath(path, cwd))} was changed by hand; generating it again`);
    const others = changes.filter(({ path }) => !this.#isGenerated(path));
    const isForDocs = others.some((change) => this.#contracts.concernsDocs(change));
    const followed = [...others.filter(({ path }) => !DOCS_FILE.test(path)), ...edited];
    try {
      if (followed.length > 0) await this.#follow(followed);
    } catch (error) {
      // Whatever it is, the next save may fix it.
      this.#giveUp(error instanceof FileError ? error.toText(cwd) : String(error).replace(/\n[^]*/, ""));
    }
    if (!isForDocs || this.#isStopped()) return;
    if (followed.length === 0) this.#print(`saved ${listChanges(others, cwd)}; building the docs`);
    this.#docs.build();
  }

  /** @param changes Undefined at the start. */
  async #follow(changes?: readonly Change[]): Promise<void> {
    if (this.#isStopped()) return;
    const changesContract = changes?.some((change) => this.#contracts.concerns(change)) ?? true;
    const changesProgram = changes?.some((change) => this.#concernsProgram(change)) ?? true;
    if (!changesContract && !changesProgram && this.#service.running) return;
    this.#types?.cancel();
    this.#impact.cancel();
    // On this line editors clear the problems of the previous save.
    if (changes !== undefined) this.#print(`saved ${listChanges(changes, this.#options.context.cwd)}`);
    if (changes?.some(({ path }) => path.startsWith(OWN)) === true) {
      this.#service.renew();
      this.#docs.close();
    }
    const time = new Stopwatch();
    if (changesContract) {
      if (await this.#contracts.follow()) this.#isStale = this.#hasOldDocs = true;
      time.lap("contract");
    }
    // Processes that started from here on would never be stopped.
    if (this.#isStopped()) return;
    if (this.#changesService(changes) || !this.#service.running) this.#isStale = true;
    this.#isUnchecked ||= this.#isStale || changesProgram;
    if (!this.#contracts.isGood) {
      this.#giveUp("the contract has errors");
      return;
    }
    const isForService = this.#isStale;
    if (isForService) await this.#restart(time);
    if (this.#isStopped()) return;
    const unchanged = isForService ? undefined : "nothing changed for the service";
    if (this.#types !== undefined && this.#isUnchecked) void this.#checkTypes(this.#types, unchanged);
    else {
      if (unchanged !== undefined) this.#print(unchanged);
      this.#impact.follow(this.#contracts.plans, !this.#isStale);
    }
  }

  /** Tests whether the service imports a changed file, or did before the change. */
  #changesService(changes: readonly Change[] | undefined): boolean {
    const { main, configFile } = this.#options;
    const before = this.#imports;
    this.#imports = findImports(main, configFile);
    return (changes ?? []).some(
      ({ path }) => path === configFile || before.has(path) || this.#imports.has(path),
    );
  }

  /**
   * Checks types and prints the verdict, on a line that ends the problems of a save.
   * @param unchanged Printed before the verdict, if the service needed no restart.
   */
  async #checkTypes(types: TypeFollower, unchanged: string | undefined): Promise<void> {
    const { context } = this.#options;
    const start = performance.now();
    const errors = await types.check();
    // A later save is followed.
    if (errors === undefined) return;
    const time = Math.round(performance.now() - start);
    this.#isUnchecked = false;
    for (const { text } of errors) context.stderr.write(text);
    const own = errors.filter(({ path }) => path === undefined || this.#imports.has(path)).length;
    const others = errors.length - own;
    const outside =
      others === 0 ? "" : own === 0 ? " outside the service" : `, ${others} more outside the service`;
    const verdict = errors.length === 0 ? "no type errors" : count(own || others, "type error") + outside;
    const before = unchanged === undefined ? "" : `${unchanged}; `;
    const effect = own > 0 && !this.#isStale ? "; the service runs the saved code anyway" : "";
    this.#print(`${before}${verdict} (${time} ms)${effect}`);
    this.#impact.follow(this.#contracts.plans, !this.#isStale && own === 0);
  }

  /** Shows no progress, because the service may print at the same time. */
  async #restart(time: Stopwatch): Promise<void> {
    const verb = this.#service.running ? "restarted" : "started";
    const replaced = this.#replaced;
    const failure = await this.#service.restart();
    if (failure !== undefined && this.#replaced > replaced) return;
    if (failure !== undefined) {
      this.#giveUp(`the new service did not start: ${failure}`);
      return;
    }
    if (this.#isStopped()) return;
    time.lap("service");
    this.#isStale = false;
    this.#print(`${verb} in ${time.toString()}`);
    if (this.#hasOldDocs) this.#docs.build();
    this.#hasOldDocs = false;
  }

  #isStopped(): boolean {
    return this.#options.signal.aborted;
  }

  #concernsProgram({ path, kind }: Change): boolean {
    // npm writes it after it has installed packages.
    if (path === join(this.#options.context.cwd, "package.json")) return true;
    const isKnown = this.#types?.includes(path) === true || this.#imports.has(path);
    return isKnown || path === this.#options.configFile || (kind === "add" && /\.[cm]?tsx?$/.test(path));
  }

  #isGenerated(path: string): boolean {
    // An API may have been added to redocly.yaml since the start.
    const apis = [...this.#options.apis, ...this.#contracts.plans.map(({ api }) => api)];
    return apis.some(({ output }) => path === output || path.startsWith(output + sep));
  }

  #giveUp(reason: string): void {
    const state = this.#service.running
      ? "the last good service is still running"
      : "nothing runs until this is fixed";
    this.#print(`${reason}; ${state}`);
  }

  #print(text: string): void {
    // On a terminal Ctrl-C also ends the service, which is not worth a message.
    if (!this.#isStopped()) this.#options.context.stdout.write(`tenon: ${toVisibleLines(text)}\n`);
  }
}

/** `src/app.ts`, or `src/app.ts and 2 more`. */
function listChanges(changes: readonly Change[], cwd: string): string {
  const [first, ...others] = new Set(changes.map(({ path }) => toVisible(showPath(path, cwd))));
  return [first, ...(others.length > 0 ? [`${others.length} more`] : [])].join(" and ");
}

/** Times one save and its parts. */
class Stopwatch {
  readonly #start = performance.now();
  readonly #parts: string[] = [];
  #last = this.#start;

  /** Names the part that took the time since the previous part. */
  lap(part: string): void {
    const now = performance.now();
    this.#parts.push(`${part} ${Math.round(now - this.#last)}`);
    this.#last = now;
  }

  /** In milliseconds: `812 ms (contract 120, types 92, service 600)`. */
  toString(): string {
    return `${Math.round(this.#last - this.#start)} ms (${this.#parts.join(", ")})`;
  }
}
