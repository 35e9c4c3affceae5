#!/usr/bin/env node
import { runProcess } from "./commands/program.js";

await runProcess("tenon");
