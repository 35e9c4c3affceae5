import process from "node:process";
import { runStoreCommand } from "./store-command.js";

const { stdout, stderr } = process;
process.exitCode = await runStoreCommand(process.argv.slice(2), { stdout, stderr });
