import { runProcess } from "../src/cli/commands/run-process.js";

await runProcess("npm run -s tenon --");
