import process from "node:process";
import { runKeysCommand } from "./keys-command.js";

const { env, stdout, stderr } = process;
process.exitCode = await runKeysCommand(process.argv.slice(2), { env, stdout, stderr });
