import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createConfig } from "@redocly/openapi-core";
import { type LoadedModel, loadModel } from "../../src/cli/project/index.js";
import { HTTP_METHODS } from "../../src/tenon/core/http/index.js";
import { buildContract } from "../../src/tenon/core/model/index.js";
import type { Problem } from "../../src/tenon/core/document/contract-error.js";
import { compareContracts } from "../../src/cli/diff/contract/compare-contracts.js";
import { emitFiles } from "../../src/cli/generate/files.js";
import { ContractError } from "../../src/tenon/core/document/contract-error.js";
import { answerAll, type GeneratedServer } from "../../test/support/answer-all.js";
import { REWRITES } from "../../test/cli/diff/rewrite.js";
import { findFirstError } from "./compile.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const STEPS = ["load", "diff", "emit", "compile", "start"] as const;
export type Step = (typeof STEPS)[number];

/** What became of one document. */
export interface Trial {
  readonly operations: number;
  /** Of all generated TypeScript. */
  readonly lines: number;
  /** Milliseconds of each step that was taken. */
  readonly times: Partial<Record<Step, number>>;
  readonly warnings: number;
  /** `refused`: the document is invalid, and the problem says where. `failed`: Tenon is at fault. */
  readonly outcome: "ok" | "refused" | "failed";
  /** The first thing wrong. */
  readonly problem?: string;
}

/** Tenon's own rules that refuse valid documents, until `rules` gives them another severity, are warnings. */
const RULES = {
  struct: "error",
  "no-unresolved-refs": "error",
  "tenon/pattern-linear": "warn",
  "tenon/schema-keyword-known": "warn",
} as const;

/**
 * Loads a document, compares it with itself written differently, builds, emits, compiles and starts what came out, and calls every
 * operation.
 */
export async function tryContract(file: string): Promise<Trial> {
  const times: Trial["times"] = {};
  const counts = { operations: 0, lines: 0, warnings: 0 };
  const measure = async <T>(step: Step, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      times[step] = Math.round(performance.now() - start);
    }
  };
  const toTrial = (outcome: Trial["outcome"], problem?: string): Trial => ({
    ...counts,
    times,
    outcome,
    ...(problem !== undefined && { problem }),
  });
  const folder = mkdtempSync(join(tmpdir(), "tenon-"));
  try {
    const { contract, document, problems } = await measure("load", () => loadDocument(file));
    counts.operations = contract.operations.length;
    counts.warnings = problems.length;
    const difference = await measure("diff", () => findDifference(document));
    if (difference !== undefined) return toTrial("failed", difference);
    const emitted = await measure("emit", () => emitFiles(contract, document, { source: basename(file) }));
    const { files } = emitted;
    counts.warnings += emitted.problems.length;
    const scripts = [...files].filter(([name]) => name.endsWith(".ts"));
    counts.lines = scripts.reduce((sum, [, text]) => sum + text.split("\n").length - 1, 0);
    write(folder, files);

    const dropped = countOperations(document) - contract.operations.length;
    if (dropped !== 0) return toTrial("failed", `${dropped} operations were dropped`);
    const error = await measure("compile", () => findFirstError(scripts.map(([name]) => join(folder, name))));
    if (error !== undefined) return toTrial("failed", error);
    const answers = await measure("start", async () =>
      answerAll((await import(pathToFileURL(join(folder, "server.ts")).href)) as GeneratedServer),
    );
    const wrong = answers.find(({ expected }) => !expected);
    return wrong ? toTrial("failed", `${wrong.operation.id} answers ${wrong.status}`) : toTrial("ok");
  } catch (error) {
    if (!(error instanceof ContractError)) return toTrial("failed", (error as Error).stack ?? String(error));
    const problem = error.problems.find(({ severity }) => severity === "error");
    const positioned = problem !== undefined && problem.line > 0 && problem.column > 0;
    return toTrial(positioned ? "refused" : "failed", problem && describe(problem));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Loads a document without a project. */
export async function loadDocument(file: string): Promise<LoadedModel> {
  return loadModel({ root: file, config: await createConfig({ rules: RULES }) });
}

/** Characters of a document from which on what it refers to is not written in place: that grows by the power of its depth. */
const LARGE = 1_000_000;

/** What a comparison tells of a document and itself written differently, which is nothing. */
async function findDifference(base: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const text = JSON.stringify(base);
  // Written differently, what such a reference leads to is elsewhere.
  if (text.includes('"#/paths/')) return undefined;
  for (const [name, rewrite] of Object.entries(REWRITES)) {
    if (name === "with references written in place" && text.length > LARGE) continue;
    const contracts = { base: buildContract(base), revision: buildContract(rewrite(base)) };
    const changes = await compareContracts(contracts, { now: Date.now() });
    const told = changes.find(({ code }) => code !== "texts-changed");
    if (told !== undefined) return `${name}: ${told.code} at ${told.at.pointer}`;
  }
  return undefined;
}

function describe({ file, line, column, code, message }: Problem): string {
  return `${basename(file)}:${line}:${column} ${code} ${message}`;
}

/** Writes the files where `tenon/runtime` means this repository. */
function write(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(ROOT, "src/tenon"), join(folder, "node_modules/tenon"), "dir");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Counts without the model what it must not lose. A path item by reference has the operations of where it leads. */
function countOperations(document: Readonly<Record<string, unknown>>): number {
  const follow = (node: unknown): object => {
    const { $ref } = node as { readonly $ref?: string };
    if ($ref === undefined) return node as object;
    const keys = $ref.split("/").slice(1);
    const unescape = (key: string) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    return follow(
      keys.reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[unescape(key)], document),
    );
  };
  return Object.entries(document["paths"] ?? {})
    .filter(([path]) => !path.startsWith("x-"))
    .map(([, pathItem]) => follow(pathItem) as Readonly<Record<string, unknown>>)
    .reduce(
      (sum, pathItem) =>
        sum +
        HTTP_METHODS.filter((method) => typeof pathItem[method] === "object").length +
        Object.keys(pathItem["additionalOperations"] ?? {}).length,
      0,
    );
}
