import { runGenerate } from "../src/tenon/cli/generate.js";

process.exitCode = await runGenerate(process.argv.slice(2), {
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  command: "npm run generate --",
});
