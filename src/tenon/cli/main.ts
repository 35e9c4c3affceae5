#!/usr/bin/env node
import process from "node:process";
import { runTenon } from "./program.js";

const { stdout, stderr } = process;
process.exitCode = await runTenon(process.argv.slice(2), {
  cwd: process.cwd(),
  stdout,
  stderr,
  program: "tenon",
});
