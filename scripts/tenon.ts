import { runTenon } from "../src/tenon/cli/program.js";

process.exitCode = await runTenon(process.argv.slice(2), {
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  program: "npm run -s tenon --",
});
