import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { toAddress } from "../../../../src/cli/docs/samples/page-addresses.js";
import { decodeEntities, findElements } from "../../../support/html-text.js";

/** A sample as the page shows it. */
export interface Sample {
  /** Its id, with the number of the example from the second one on: `createPet-2`. */
  readonly operation: string;
  readonly label: string;
  readonly source: string;
}

/** The samples that a site's pages show, read at an address. */
export function readSamples(pages: readonly string[], address: string): readonly Sample[] {
  return pages.flatMap((page) =>
    findElements(page, /^<section class="operation"/).flatMap((part) => {
      const [, operation = ""] = /\sid="operation\/([^"]*)"/.exec(part) ?? [];
      const [request = ""] = findElements(part, /^<div class="request"/);
      // One for each example of the body.
      return findElements(request, /data-name="Language"/).flatMap((set, index) =>
        findElements(set, /class="panel"/).map((panel) => ({
          operation: `${decodeEntities(operation)}${index === 0 ? "" : `-${index + 1}`}`,
          label: decodeEntities(/data-label="([^"]*)"/.exec(panel)?.[1] ?? ""),
          source: `${readCode(/<code>([^]*?)<\/code>/.exec(panel)?.[1] ?? "", address)}\n`,
        })),
      );
    }),
  );
}

/** Code with its addresses as the page's script completes them. */
function readCode(code: string, address: string): string {
  const completed = code.replace(
    /<span data-address="([^"]*)">([^<]*)<\/span>/g,
    (_, url: string, text: string) => toAddress(decodeEntities(url), address) ?? text,
  );
  return decodeEntities(completed.replaceAll(/<[^>]*>/g, ""));
}

/** The file that a sample is, in a project that has the generated client. */
const ENDINGS: Readonly<Record<string, string>> = {
  curl: ".sh",
  fetch: ".mjs",
  client: ".ts",
  Python: ".py",
  Go: ".go",
};

const canPython = (code: string) => spawnSync("python3", ["-c", code]).status === 0;

/** Endings of the samples that this machine can run: those in Python need the package `requests`. */
export const RUN_ENDINGS = [".sh", ".mjs", ".ts", ...(canPython("import requests") ? [".py"] : [])];
if (!RUN_ENDINGS.includes(".py"))
  process.stderr.write("NO PYTHON WITH requests: the samples in Python are not run, only parsed.\n");

const PARSE = `import ast, sys
for file in sys.argv[1:]:
    try: ast.parse(open(file).read())
    except SyntaxError: print(file)`;

/** Finds the samples in Python with invalid syntax; all are taken for valid without Python. */
export function findInvalidPython(files: readonly string[], folder: string): readonly string[] {
  const own = files.filter((file) => file.endsWith(".py"));
  if (!canPython("import ast")) return [];
  const { stdout } = spawnSync("python3", ["-c", PARSE, ...own], { cwd: folder, encoding: "utf8" });
  return stdout.split("\n").filter(Boolean);
}

/** Finds the samples in Go that gofmt cannot parse, or would format otherwise; undefined without gofmt. */
export function findInvalidGo(files: readonly string[], folder: string): readonly string[] | undefined {
  const own = files.filter((file) => file.endsWith(".go"));
  const { error, stdout, stderr } = spawnSync("gofmt", ["-l", ...own], { cwd: folder, encoding: "utf8" });
  if (error === undefined) return `${stdout}${stderr}`.split("\n").filter(Boolean);
  process.stderr.write(
    "NO GOFMT: the syntax of the samples in Go is not checked. Install the Debian package golang-go.\n",
  );
  return undefined;
}

export interface RunOptions {
  /** Folder of the project. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Writes the samples that can be run into a project, or a folder of it, and returns their files. */
export function writeSamples(samples: readonly Sample[], folder: string, below = "."): readonly string[] {
  return samples.flatMap(({ operation, label, source }) => {
    const ending = ENDINGS[label];
    if (ending === undefined) return [];
    const file = posix.join(below, `${operation.replaceAll(/\W+/g, "-")}${ending}`);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), source);
    return file;
  });
}

/**
 * Runs samples as a reader would: sh, node, the client by tsx, and Python. Those of one kind run in one process each, one after
 * another, because a process for each would take most of the time.
 * @returns The status that each has got, by its file.
 */
export async function runSamples(
  files: readonly string[],
  { folder, env }: RunOptions,
): Promise<Readonly<Record<string, number>>> {
  const of = (ending: string) => files.filter((file) => file.endsWith(ending));
  const shell = of(".sh").map((file) => `echo; echo "== ${file}"; sh ./${file} || exit`);
  const modules = (ending: string) =>
    of(ending).map((file) => `console.log("\\n== ${file}"); await import("./${file}");`);
  writeFileSync(join(folder, "all.sh"), shell.join("\n"));
  writeFileSync(join(folder, "all-fetch.mjs"), modules(".mjs").join("\n"));
  writeFileSync(join(folder, "all-client.mjs"), modules(".ts").join("\n"));
  const programs = of(".py").map((file) => `print("\\n== ${file}", flush=True); runpy.run_path("${file}")`);
  writeFileSync(join(folder, "all.py"), ["import runpy", ...programs].join("\n"));
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const source = "--conditions=tenon-source";
  const runs = [
    ["sh", "all.sh"],
    [process.execPath, "all-fetch.mjs"],
    [process.execPath, source, "--import", tsx, "all-client.mjs"],
    ...(RUN_ENDINGS.includes(".py") ? [["python3", "all.py"] as const] : []),
  ] as const;
  const statuses: Record<string, number> = {};
  for (const [command, ...argv] of runs) {
    const printed = await run(command, argv, { folder, env });
    for (const part of printed.split(/^== /m).slice(1)) {
      const [file = "", ...lines] = part.split("\n");
      const status = /^(?:HTTP\/\S+ )?(\d{3})\b/m.exec(lines.join("\n"));
      statuses[file] = Number(status?.[1]);
    }
  }
  return statuses;
}

function run(command: string, argv: readonly string[], { folder, env }: RunOptions): Promise<string> {
  const options = { cwd: folder, env: { PATH: process.env["PATH"], ...env }, maxBuffer: 1e8 };
  return new Promise((resolve, reject) => {
    execFile(command, argv, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${argv.join(" ")}\n${stdout}\n${stderr}`));
    });
  });
}
