/**
 * The docs page beside those of others, of the Pet Store's contract and of GitHub's, in turns. Writes `scripts/bench/DOCS-OTHERS.md`.
 *
 *     npm run bench:docs-others -- [rounds] [folder that packages are in, or go to]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findChromium, launch } from "../test/tenon/docs/chromium.js";
import { createDocsSites, type DocsSite } from "./bench/docs-sites.js";
import { visit, type Visit } from "./bench/docs-visit.js";
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

const sites = createDocsSites(packages);
const browser = await launch(chromium);
const visits = new Map<DocsSite, { pets: Visit[]; large: Visit[]; strict: Visit }>();
for (const site of sites) {
  // The first answers compress, and the first visit starts the browser's processes.
  await visit(browser, site, { contract: pets, patience: PATIENCE });
  const strict = await visit(browser, site, { contract: pets, policy: POLICY, patience: 5_000 });
  visits.set(site, { pets: [], large: [], strict });
}
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [site, made] of visits) {
    made.pets.push(await visit(browser, site, { contract: pets, patience: PATIENCE }));
    made.large.push(await visit(browser, site, { contract: large, patience: PATIENCE }));
  }
}
const version = browser.version();
await browser.close();

const spread = (values: readonly (number | undefined)[]) =>
  values.includes(undefined) ? "never" : formatSpread(values.map(Number), 0);
const rows = [...visits].map(([{ name }, made]) => {
  const [one] = made.pets;
  return [
    name,
    spread(made.pets.map(({ first }) => first)),
    spread(made.large.map(({ first }) => first)),
    spread(made.large.map(({ nodes }) => nodes)),
    ((one?.bytes ?? 0) / 1e6).toFixed(2),
    String(one?.barriers ?? ""),
    one === undefined || one.hosts.length === 0 ? "none" : one.hosts.join(", "),
    name === "Tenon"
      ? "is its own"
      : made.strict.first === undefined
        ? "shows nothing"
        : `works, ${made.strict.violations} refusals`,
  ];
});
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
cache in Chromium ${version} on ${describeProcessor()}; ${rounds} rounds in turns, medians with the least and the most. Milliseconds until the contract's title is in
sight, of the Pet Store's contract and of GitHub's (12 MB); DOM nodes half a second later, of GitHub's. What is sent for the Pet Store's, before
compression; the elements on that page that axe finds in people's way, serious or critical, as the page opens; the hosts that it asks for something; and
what it does under the policy \`${POLICY}\`.

${formatTable(head, rows)}`;
writeFileSync(new URL("bench/DOCS-OTHERS.md", import.meta.url), page);
process.stdout.write(page);
