/**
 * What `tenon dev` takes from a save to its result, on the pet contract and on GitHub's, where every handler is a stub.
 * Prints a table of scripts/bench/GENERATION.md.
 *
 *     npm run -s bench -- dev [saves of each kind] [folder that the documents' packages are in, or go to]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createDevProject } from "./bench/dev-project.js";
import { DevSession, type Save } from "./bench/dev-session.js";
import { type BenchDocument, findDocuments, PET_STORE } from "./bench/documents.js";
import { describeMachine, formatSpread, formatTable, median } from "./bench/report.js";

/** Between two saves, for the docs to be built and the worker that waits to have loaded; in milliseconds. */
const PAUSE = 10_000;

const TENON = fileURLToPath(new URL("../src/cli/dist/main.js", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "tenon-bench-"));
const [, , saves = "7", packages = join(temporary, "packages")] = process.argv;

const rows: string[][] = [];
const memory: string[] = [];

async function measure(document: BenchDocument): Promise<void> {
  const project = createDevProject(document);
  for (const command of ["generate", "stubs"])
    spawnSync(process.execPath, [TENON, command], { cwd: project });
  const handlers = join(project, "src/handlers");
  const [handler = ""] = readdirSync(handlers).filter((name) => !/^(?:context|index)\.ts$/.test(name));
  const session = new DevSession(TENON, project);
  try {
    await session.follow();
    // Another description each time, which is in the types; and another comment.
    await measureSaves(
      session,
      `${document.name}, contract`,
      join(project, basename(document.file)),
      (text, save) => text.replace(/(properties"?:[^]*?description"?: "?)/, `$1Save ${save}. `),
    );
    await measureSaves(
      session,
      `${document.name}, handler`,
      join(handlers, handler),
      (text, save) => `${text}// ${save}\n`,
    );
    const { dev, lint, service, spare } = session.memory();
    memory.push(
      `${document.name}: tenon dev ${dev.toFixed(0)}, linting ${lint.toFixed(0)}, service ${service.toFixed(0)}, waiting worker ${spare.toFixed(0)}`,
    );
  } finally {
    await session.stop();
    rmSync(project, { recursive: true });
  }
}

async function measureSaves(
  session: DevSession,
  name: string,
  file: string,
  change: (text: string, save: number) => string,
): Promise<void> {
  const text = readFileSync(file, "utf8");
  const results: Save[] = [];
  // The first one warms up.
  for (let save = 0; save <= Number(saves); save++) {
    await setTimeout(PAUSE);
    const result = await session.follow(() => {
      writeFileSync(file, change(text, save));
    });
    process.stderr.write(`${name}  ${JSON.stringify(result)}\n`);
    if (save > 0) results.push(result);
  }
  const part = (of: (save: Save) => number) => median(results.map(of)).toFixed(0);
  rows.push([
    name,
    part(({ contract }) => contract),
    part(({ service }) => service),
    formatSpread(
      results.map(({ contract, service }) => contract + service),
      0,
    ),
    part(({ types }) => types),
    formatSpread(
      results.map(({ whole }) => whole),
      0,
    ),
  ]);
}

const [github] = findDocuments(packages).filter(({ name }) => name === "GitHub");
for (const document of [PET_STORE, ...(github ? [github] : [])]) await measure(document);
const head = ["Save", "contract", "service", "saved code runs", "types", "types are checked"];
process.stdout.write(`${formatTable(head, rows)}
Milliseconds. Memory in MB: ${memory.join("; ")}. ${describeMachine()}, ${saves} saves each.\n`);
rmSync(temporary, { recursive: true });
