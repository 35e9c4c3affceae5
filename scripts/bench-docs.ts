/**
 * The docs page in Chromium, of the Pet Store's contract and of GitHub's: how long its reader waits. Writes `scripts/bench/DOCS.md`.
 *
 *     npm run bench:docs -- [rounds] [folder that the documents' packages are in, or go to]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import express from "express";
import type { DocumentedContract } from "../src/cli/docs/index.js";
import { createOwnDocs } from "./bench/own-docs.js";
import { findChromium, launch } from "../test/cli/docs/chromium.js";
import { measureReading, type Reading } from "./bench/docs.js";
import { describeDocument, findDocuments, PET_STORE } from "./bench/documents.js";
import { describeProcessor, formatSpread, formatTable } from "./bench/report.js";

const [, , rounds = "9", packages = join(tmpdir(), "tenon-bench-packages")] = process.argv;
const github = findDocuments(packages).find(({ name }) => name === "GitHub");
const chromium = findChromium({ ...process.env, CI: "true" });
if (github === undefined || chromium === undefined)
  throw new Error("GitHub's document and Chromium are needed");

const documents = [
  {
    document: PET_STORE,
    file: new URL("../generated/v1/contract.json", import.meta.url),
    deep: "createPet",
    next: "getPet",
  },
  { document: github, file: github.file, deep: "repos/list-for-org", next: "repos/create-in-org" },
];

const browser = await launch(chromium);
const rows: string[][] = [];
for (const { document, file, deep, next } of documents) {
  const contract = JSON.parse(readFileSync(file, "utf8")) as DocumentedContract;
  const server = createServer(express().use("/docs", await createOwnDocs(contract)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`;
  // The first answers compress.
  await measureReading(browser, { url, deep, next });
  const readings: Reading[] = [];
  for (let round = 0; round < Number(rounds); round += 1)
    readings.push(await measureReading(browser, { url, deep, next }));
  server.close();
  const format = (key: keyof Reading) =>
    formatSpread(
      readings.map((reading) => reading[key]),
      0,
    );
  rows.push([
    document.name,
    describeDocument(document),
    ...(["first", "deep", "next", "search", "nodes"] as const).map(format),
  ]);
}
const version = browser.version();
await browser.close();

const head = [
  "Document",
  "Operations",
  "First heading",
  "Deep link",
  "Next operation",
  "Search",
  "DOM nodes",
];
const page = `# The docs page

Made by \`npm run bench:docs\`; do not edit. What a reader waits for, in milliseconds, in Chromium ${version} on ${describeProcessor()}, from
\`createDocsRouter\` on the same machine, with an empty cache; ${rounds} rounds, medians with the least and the most. DOM nodes are counted at
the first heading.

${formatTable(head, rows)}`;
writeFileSync(new URL("bench/DOCS.md", import.meta.url), page);
process.stdout.write(page);
