// Selects the tests of `npm run test:unit`, as Jest's --filter: those that start no Pet Store Service, no PostgreSQL and no other
// program (npm, git, strace, a browser), and that have no line `// @slow: <reason>`. The imports of a test tell what it starts.
// CommonJS, because Jest loads a filter with `require`.
const { existsSync, readFileSync } = require("node:fs");
const { dirname, resolve } = require("node:path");

const PROGRAMS = new Set(["node:child_process", "node:cluster", "pg", "playwright-core"]);
const SERVICE = resolve(__dirname, "petstore.ts");
const SOURCES = resolve(__dirname, "../../src");

module.exports = (paths) => ({ filtered: paths.filter(isUnitTest) });

function isUnitTest(path) {
  return !/^\/\/ @slow: \S/m.test(readFileSync(path, "utf8")) && !startsPrograms(path, new Set());
}

/** Follows the imports of a test, but not into the code that it tests. */
function startsPrograms(path, seen) {
  if (path === SERVICE) return true;
  if (seen.has(path) || path.startsWith(SOURCES) || !existsSync(path)) return false;
  seen.add(path);
  const imports = readFileSync(path, "utf8").matchAll(/^(?:import|export) (?!type )[^;"]*"([^"]+)"/gm);
  return [...imports].some(([, name]) =>
    /^\.{1,2}\/.*\.js$/.test(name)
      ? startsPrograms(resolve(dirname(path), name.replace(/\.js$/, ".ts")), seen)
      : PROGRAMS.has(name),
  );
}
