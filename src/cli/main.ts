#!/usr/bin/env node
import { runProcess } from "./output/run-process.js";

await runProcess("tenon");
