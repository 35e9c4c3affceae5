import { runProcess } from "../src/cli/commands/program.js";

await runProcess("npm run -s tenon --");
