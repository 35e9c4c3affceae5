#!/usr/bin/env node
import module from "node:module";

// Since 22.8, Node.js can keep compiled code on disk. The types, and Node.js 20, lack the function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { runProcess } = await import("./commands/program.js");
await runProcess("tenon");
