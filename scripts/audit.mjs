// Runs `npm audit` on the production dependencies of all workspaces. npm fails in the same way when it finds advisories and when the
// registry offers none, as mirrors do. Here the second is reported, and is an error only with --strict.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { npm } from "./npm.mjs";

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== "--strict")) {
  console.error("Usage: npm run audit [-- --strict]");
  process.exit(2);
}

const cwd = fileURLToPath(new URL("../", import.meta.url));
const audit = ["audit", "--omit=dev", "--package-lock-only"];
const { stdout } = npm([...audit, "--json"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const { vulnerabilities, message } = JSON.parse(stdout || "{}");
if (vulnerabilities === undefined) {
  console.error(
    `NOT AUDITED: the registry offers no advisories (${message ?? "npm audit printed no report"}).`,
  );
  process.exitCode = option === "--strict" ? 1 : 0;
} else {
  process.exitCode = npm(audit, { cwd, stdio: "inherit" }).status ?? 1;
}
