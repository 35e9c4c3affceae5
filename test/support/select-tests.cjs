// Selects the tests of an npm script, as Jest's --filter. Paths on the command line select by themselves.
// - `npm test`: all, except those that begin with a line `// @thorough: <reason>`;
// - `npm run test:thorough`: those with that line;
// - `npm run test:unit`: those that start no Pet Store Service, no PostgreSQL and no other program (npm, git, strace, a browser),
//   and that have neither that line nor `// @slow: <reason>`. The imports of a test tell what it starts.
// CommonJS, because Jest loads a filter with `require`.
const { existsSync, readFileSync } = require("node:fs");
const { dirname, resolve } = require("node:path");

const PROGRAMS = new Set(["node:child_process", "node:cluster", "pg", "playwright-core"]);
const SERVICE = resolve(__dirname, "petstore.ts");
const SOURCES = resolve(__dirname, "../../src");

const SELECT = {
  test: (path) => !hasLine(path, "thorough"),
  "test:thorough": (path) => hasLine(path, "thorough"),
  "test:unit": (path) => !hasLine(path, "(?:slow|thorough)") && !startsPrograms(path, new Set()),
};

module.exports = (paths) => {
  const arePathsGiven = process.argv.slice(2).some((argument) => !argument.startsWith("-"));
  const select = arePathsGiven ? undefined : SELECT[process.env.npm_lifecycle_event];
  return { filtered: select ? paths.filter(select) : paths };
};

function hasLine(path, name) {
  return new RegExp(`^// @${name}: \\S`, "m").test(readFileSync(path, "utf8"));
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
