import process from "node:process";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
// Most of what a service loads, and the same for each.
import "tenon/runtime";
import { STOP_LIMIT } from "./service.js";

// Ends the service when `tenon dev` is gone. node:cluster does that too, but not while the service blocks its own thread, and not
// once `tenon dev` has disconnected it to replace it. A string, because tsx does not load the file of a thread on Node.js 20.
const WATCH = `
const { parent, stopLimit } = require("node:worker_threads").workerData;
const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, "SIGKILL"), stopLimit);
}, 1_000);
`;
const workerData = { parent: process.ppid, stopLimit: STOP_LIMIT };
new Worker(WATCH, { eval: true, execArgv: [], workerData }).unref();

// The worker waits to be told to start the service, whose module is its one argument.
process.once("message", () => {
  const [, , main = ""] = process.argv;
  process.argv = [process.execPath, main];
  // A service that fails to load ends the worker, as it would end a process of its own.
  void import(pathToFileURL(main).href);
});
// A message that came sooner would be lost: cluster listens before this module does.
process.send?.("waiting");
