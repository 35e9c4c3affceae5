// Asks the registry for advisories. Exit codes: 0 none for what runs in production, 1 some, 2 bad usage; without advisories 0, or 1 with --strict.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runNpm } from "./supply/npm.js";
import { findProduction, readLockedPackages } from "./supply/production.js";

/** What `npm audit --json` writes, as far as it is read here; `vulnerabilities` is absent when it could not ask. */
interface Report {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
}

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  /** An advisory, or the name of the dependency that has one. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
  /** Paths of the lock file. */
  readonly nodes: readonly string[];
}

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== "--strict")) {
  process.stderr.write("Usage: npm run audit [-- --strict]\n");
  process.exit(2);
}

const root = new URL("../", import.meta.url);
const { stdout } = runNpm(fileURLToPath(root), ["audit", "--json", "--package-lock-only"]);
const { vulnerabilities, message } = readReport(stdout);
if (vulnerabilities === undefined) {
  process.stderr.write(
    `NOT AUDITED: this registry gave no advisories (${message ?? "npm audit wrote no report"}). ` +
      "Nothing is known, good or bad. Repeat it with a registry that has them.\n",
  );
  process.exitCode = option === "--strict" ? 1 : 0;
} else {
  const production = findProduction(readLockedPackages(root));
  const found = Object.values(vulnerabilities);
  const serious = found.filter(({ nodes }) => nodes.some((path) => production.has(path)));
  for (const one of found) {
    const place = serious.includes(one) ? "production" : "development";
    process.stdout.write(`${place}  ${one.severity}  ${one.name}: ${toReason(one)}\n`);
  }
  process.stdout.write(`${serious.length} in production, ${found.length - serious.length} in development.\n`);
  if (serious.length > 0) process.exitCode = 1;
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return {};
  }
}

function toReason({ via }: Vulnerability): string {
  return via.map((one) => (typeof one === "string" ? `by ${one}` : `${one.title} ${one.url}`)).join("; ");
}
