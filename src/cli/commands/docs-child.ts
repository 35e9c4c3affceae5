import process from "node:process";
import { runTenon } from "./program.js";

/**
 * Builds the docs of the project in its folder for each message, and says when it has. The next build finds the modules loaded and
 * the texts of the last one rendered.
 */
const context = {
  cwd: process.cwd(),
  stdout: { write: () => true },
  stderr: process.stderr,
  program: "tenon",
};

// Ctrl-C at a terminal reaches this process too; it ends with its parent.
process.on("SIGINT", () => undefined);
process.on("message", () => {
  void runTenon(["docs"], context).then(() => process.send?.("built"));
});
