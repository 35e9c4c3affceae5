import { open } from "node:inspector";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
// Most of a service's modules, loaded before it starts.
import "tenon/runtime";
import { STOP_LIMIT } from "./service.js";

// Ends the service when `tenon dev` has ended. node:cluster also does that, but not while the service blocks its thread, and not
// after `tenon dev` has disconnected it. A string, because tsx cannot load the file of a thread on Node.js 20.
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

// The worker waits for a message to start the service, whose module is its argument.
process.once("message", () => {
  const [, , main = "", inspect] = process.argv;
  process.argv = [process.execPath, main];
  if (inspect !== undefined) open(Number(inspect), "127.0.0.1");
  // A service that fails to load ends the worker.
  void import(pathToFileURL(main).href);
});
// An earlier message would be lost, because cluster listens before this module does.
process.send?.("waiting");
