/**
 * Bytes of web pages that call 1, 10 and 200 operations of GitHub's API, with Tenon's client and with others. Writes
 * `scripts/bench/CLIENT-SIZE.md`.
 *
 *     npm run -s bench -- client-size [folder that packages are in, or go to]
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { CLIENTS, type SizedClient } from "./bench/client-size/clients.js";
import { cutContract, type SizedOperation } from "./bench/client-size/cut-contract.js";
import { measureBundle } from "./bench/client-size/measure-bundle.js";
import { findDocuments } from "./bench/documents.js";
import { formatTable } from "./bench/report.js";
import { CLIENT_PACKAGES, installPackages } from "./packages.js";

/** Operations that a page calls. The contract has as many as the last. */
const COUNTS = [1, 10, 200];

const [, , packages = join(tmpdir(), "tenon-bench-packages")] = process.argv;
const github = findDocuments(packages).find(({ name }) => name === "GitHub");
if (github === undefined) throw new Error("The size of clients is measured with GitHub's document");
const modules = installPackages(packages, CLIENT_PACKAGES);
const { contract, operations } = cutContract(readFileSync(github.file, "utf8"), Math.max(...COUNTS));

// Beside the packages, so that bundles find them.
const project = mkdtempSync(join(packages, "client-size-"));
try {
  writeFileSync(join(project, "openapi.json"), JSON.stringify(contract));
  const rows = CLIENTS.map((client) => {
    const folder = join(project, client.name.replaceAll(/\W+/g, "-"));
    mkdirSync(folder);
    client.generate?.({ folder, modules, contract: join(project, "openapi.json") });
    return [
      client.name,
      ...COUNTS.map((count) => measure(client, folder, operations.slice(0, count))),
      client.retries,
    ];
  });
  const head = ["Client", ...COUNTS.map((count) => `${count} operation${count === 1 ? "" : "s"}`), "Retries"];
  const file = new URL("bench/CLIENT-SIZE.md", import.meta.url);
  writeFileSync(file, readFileSync(file, "utf8").replace(/(?:^\|.*\n)+/m, formatTable(head, rows)));
} finally {
  rmSync(project, { recursive: true });
}

/** `5.1 (14.2)`: kB after Brotli, and minified. */
function measure(
  { name, writePage }: SizedClient,
  folder: string,
  called: readonly SizedOperation[],
): string {
  const page = join(folder, `page-${called.length}.js`);
  writeFileSync(page, writePage(called));
  const { minified, compressed } = measureBundle(page);
  process.stderr.write(`${name}: ${called.length} operations, ${minified} bytes\n`);
  return `${(compressed / 1000).toFixed(1)} (${(minified / 1000).toFixed(1)})`;
}
