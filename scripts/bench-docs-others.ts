/**
 * The docs page beside those of others, of the Pet Store's contract and of GitHub's, in turns. Writes `scripts/bench/DOCS-OTHERS.md`.
 *
 *     npm run bench:docs-others -- [rounds] [folder that packages are in, or go to]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findChromium, launch } from "../test/cli/docs/chromium.js";
import { createDocsSites, type DocsSite } from "./bench/docs-sites.js";
import { visit, type Visit, type VisitOptions } from "./bench/docs-visit.js";
import { findDocuments } from "./bench/documents.js";
import { describeProcessor, formatSpread, formatTable } from "./bench/report.js";

/** No script or style but the host's own, and no other host. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; font-src 'self'; worker-src blob:; connect-src 'self'";
/** Milliseconds; the slowest that was seen took 15 s on a busy machine. */
const PATIENCE = 60_000;

const [, , rounds = "5", packages = join(tmpdir(), "tenon-bench-packages")] = process.argv;
const github = findDocuments(packages).find(({ name }) => name === "GitHub");
const chromium = findChromium({ ...process.env, CI: "true" });
if (github === undefined || chromium === undefined)
  throw new Error("GitHub's document and Chromium are needed");
const pets = readFileSync(new URL("../generated/v1/contract.json", import.meta.url), "utf8");
const large = readFileSync(github.file, "utf8");

/** Serves a page for as long as this runs, and resolves to what a visit of it is asked with. */
async function serve(site: DocsSite, contract: string, policy?: string): Promise<VisitOptions> {
  const server = createServer(await site.createApp(contract, policy)).unref();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { title } = (JSON.parse(contract) as { readonly info: { readonly title: string } }).info;
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, title, patience: PATIENCE };
}

const browser = await launch(chromium);
const tried = [];
for (const site of createDocsSites(packages)) {
  const own = { pets: await serve(site, pets), large: await serve(site, large) };
  // The first answers compress, and the first visit starts the browser's processes.
  for (const options of [own.pets, own.large]) await visit(browser, options);
  const strict = await visit(browser, { ...(await serve(site, pets, POLICY)), patience: 5000 });
  tried.push({ name: site.name, own, strict, pets: [] as Visit[], large: [] as Visit[] });
}
for (let round = 0; round < Number(rounds); round += 1) {
  for (const { own, ...made } of tried) {
    made.pets.push(await visit(browser, own.pets));
    made.large.push(await visit(browser, own.large));
  }
}
const version = browser.version();
await browser.close();

const spread = (values: readonly (number | undefined)[]) =>
  values.includes(undefined) ? "never" : formatSpread(values.map(Number), 0);
const rows = tried.map(({ name, strict, ...made }) => {
  const [one] = made.pets;
  return [
    name,
    spread(made.pets.map(({ first }) => first)),
    spread(made.large.map(({ first }) => first)),
    spread(made.large.map(({ nodes }) => nodes)),
    ((one?.bytes ?? 0) / 1e6).toFixed(2),
    String(one?.barriers ?? ""),
    one === undefined || one.hosts.length === 0 ? "none" : one.hosts.join(", "),
    name === "Tenon" ? "has its own" : describeStrict(strict),
  ];
});
/** Under the policy. */
function describeStrict({ first, nodes, violations }: Visit): string {
  const refused = `${violations} refusals`;
  if (first !== undefined) return `works, ${refused}`;
  return nodes < 50 ? `shows nothing, ${refused}` : `${refused}, and the title is not in sight`;
}

const head = [
  "Page",
  "Pet Store, ms",
  "GitHub, ms",
  "DOM nodes",
  "MB",
  "Barriers",
  "Other hosts",
  "Strict policy",
];
const page = `# Docs pages side by side

Made by \`npm run bench:docs-others\`; do not edit. Each page as its own README puts it on a host, from files on the same machine, with an empty
cache in Chromium ${version} on ${describeProcessor()}; ${rounds} rounds in turns, medians with the least and the most. Tenon's router compresses what it sends, the files of the others come as they are. Milliseconds until the contract's title is in
sight, of the Pet Store's contract and of GitHub's (12 MB); DOM nodes half a second later, of GitHub's. What is sent for the Pet Store's, before
compression; the elements on that page that axe finds in people's way, serious or critical, as the page opens; the hosts that it asks for something in that time; and
what it does under the policy \`${POLICY}\`.

${formatTable(head, rows)}`;
writeFileSync(new URL("bench/DOCS-OTHERS.md", import.meta.url), page);
process.stdout.write(page);
