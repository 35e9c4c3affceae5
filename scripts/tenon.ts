import { runProcess } from "../src/cli/output/run-process.js";

await runProcess("npm run -s tenon --");
