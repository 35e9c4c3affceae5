// Applies mutations whose level is known to real OpenAPI documents, and compares it with the level of `tenon diff`: a breaking
// change that is called safe is a miss, a safe one that is called breaking or risky a false alarm.
//
//   npm run test:long -- mutations                    documents of npm packages, as for `torture`
//   npm run test:long -- mutations --short            some of them
//   npm run test:long -- mutations FILE FOLDER        documents of one's own
//
// `--limit N` mutations of each document, each of another kind (10); `--seed N` draws others; `--packages FOLDER` keeps the packages.
// Exits 1 when there was a miss or a false alarm.
import { statSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ContractError, type Node } from "../src/tenon/core/document/index.js";
import { checkMutation, drawMutations, showPlace, type Verdict } from "../test/cli/diff/mutations/mutate.js";
import { formatTable } from "./bench/report.js";
import { findDocuments, withPackages } from "./torture/documents.js";
import { loadDocument } from "./torture/try-contract.js";

const { values, positionals } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    packages: { type: "string" },
    limit: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
  },
  allowPositionals: true,
});

/** Bytes of a document from which on each comparison takes seconds. */
const LARGE_BYTES = 1_000_000;

const VERDICTS: readonly Verdict[] = ["right", "miss", "alarm", "undecided"];

/** The results of each kind. */
const results = new Map<string, Record<Verdict, number>>();
let documents = 0;

async function run(folder: string, files: readonly string[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const [index, file] of files.filter((name) => statSync(name).size < LARGE_BYTES).entries()) {
    const document = await load(file);
    if (document === undefined) continue;
    const seed = Number(values.seed) * 1_000_003 + index;
    process.stderr.write(`${index + 1} ${relative(folder, file)}\n`);
    const drawn = drawMutations(document, { counts, limit: Number(values.limit), seed });
    if (drawn.length > 0) documents += 1;
    for (const mutation of drawn) {
      const { kind, pointer, truth } = mutation;
      const { verdict, level, codes } = await checkMutation(document, mutation);
      const row = results.get(kind) ?? { right: 0, miss: 0, alarm: 0, undecided: 0 };
      row[verdict] += 1;
      results.set(kind, row);
      if (verdict === "right") continue;
      print(`${verdict}: ${kind} is ${truth}, not ${level}: ${relative(folder, file)} ${pointer}
  ${codes.join(", ")}
  ${showPlace(document, mutation)}`);
    }
  }
  const rows = [...results]
    .sort()
    .map(([kind, row]) => [kind, ...VERDICTS.map((verdict) => String(row[verdict]))]);
  const sum = (verdict: Verdict) => [...results.values()].reduce((total, row) => total + row[verdict], 0);
  const total = VERDICTS.reduce((all, verdict) => all + sum(verdict), 0);
  print(`${formatTable(["Mutation", ...VERDICTS], rows)}
${documents} documents, ${total.toLocaleString("en")} mutations of ${results.size} kinds: ${sum("miss")} misses, ${sum("alarm")} false alarms, ${sum("undecided")} undecided.`);
  process.exitCode = total > 0 && sum("miss") + sum("alarm") === 0 ? 0 : 1;
}

if (positionals.length > 0) await run(process.cwd(), findDocuments(positionals));
else await withPackages(values, run);

/** @returns undefined for a document that is refused, which `torture` reports. */
async function load(file: string): Promise<Node | undefined> {
  try {
    return (await loadDocument(file)).document;
  } catch (error) {
    if (error instanceof ContractError) return undefined;
    throw error;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
