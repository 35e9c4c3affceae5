import process from "node:process";
import { pathToFileURL } from "node:url";
// Most of what a service loads, and the same for each.
import "tenon/runtime";

// The worker waits to be told to start the service, whose module is its one argument.
process.once("message", () => {
  const [, , main = ""] = process.argv;
  process.argv = [process.execPath, main];
  // A service that fails to load ends the worker, as it would end a process of its own.
  void import(pathToFileURL(main).href);
});
// A message that came sooner would be lost: cluster listens before this module does.
process.send?.("waiting");
