import { runProcess } from "../src/tenon/cli/run-process.js";

await runProcess("npm run -s tenon --");
