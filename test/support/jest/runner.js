// Jest's `testRunner`: jest-circus, with tests and sources as modules of Node.js itself, compiled by tsx. Jest's own loader evaluates
// every module anew for each test file, which took longer than most test files.
// - Sources and packages are evaluated once per worker process.
// - Modules below test/ are evaluated for each test file, because some register hooks (`afterAll`) for the file that imports them.
// - A test file with a line `// @fresh: <reason>` has sources of its own, which no other test has used.
// Features that need Jest's loader are missing: `jest.mock`, fake timers, `--coverage`.
import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";
import runWithCircus from "jest-circus/runner";
import { register as registerTypeScript } from "tsx/esm/api";

registerTypeScript();
register("./hooks.js", import.meta.url);
const require = createRequire(import.meta.url);
let runs = 0;

export default function runTestFile(globalConfig, config, environment, runtime, testPath, send) {
  const run = `${(runs += 1)}${/^\/\/ @fresh: \S/m.test(readFileSync(testPath, "utf8")) ? "-fresh" : ""}`;
  const runtimeOfProcess = Object.assign(Object.create(runtime), {
    // Evaluated for each test file, because it keeps the tests that the file declares.
    requireInternalModule(path) {
      Reflect.deleteProperty(require.cache, path);
      return require(path);
    },
    // globals.js reads them.
    setGlobalsForRuntime(globals) {
      globalThis[Symbol.for("jest-globals")] = { ...globals, jest: environment.moduleMocker };
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => import(`${pathToFileURL(path).href}?run=${run}`),
  });
  return runWithCircus.default(globalConfig, config, environment, runtimeOfProcess, testPath, send);
}
