#!/usr/bin/env node
import { runProcess } from "./commands/run-process.js";

await runProcess("tenon");
