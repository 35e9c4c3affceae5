import { writeDocsSites } from "../src/tenon/cli/docs.js";

try {
  await writeDocsSites({ cwd: process.cwd(), stdout: process.stdout });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
