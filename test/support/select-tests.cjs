// Selects the tests of an npm script, as Jest's --filter. Paths on the command line select by themselves.
// - `npm test`: all, except those that begin with a line `// @thorough: <reason>`;
// - `npm run test:thorough`: those with that line;
// - `npm run test:unit`: those that start no Pet Store Service, no PostgreSQL and no other program (npm, git, strace, a browser),
//   and that have neither that line nor `// @slow: <reason>`. The imports of a test tell what it starts.
// The seconds that such a line may have (`// @thorough, 60 s: <reason>`) decide the order, see longest-first.cjs.
// CommonJS, because Jest loads a filter with `require`.
const { existsSync, readFileSync } = require("node:fs");
const { dirname, resolve } = require("node:path");

const PROGRAMS = new Set(["node:child_process", "node:cluster", "pg", "playwright-core"]);
const SERVICE = resolve(__dirname, "petstore.ts");
const SOURCES = resolve(__dirname, "../../src");

/** The script that runs what another one leaves out. */
const RUNS_REST = { test: "test:thorough", "test:unit": "test" };

const SELECT = {
  test: (path) => !hasLine(path, "thorough"),
  "test:thorough": (path) => hasLine(path, "thorough"),
  "test:unit": (path) => !hasLine(path, "(?:slow|thorough)") && !startsPrograms(path, new Set()),
};

module.exports = (paths) => {
  const arePathsGiven = process.argv.slice(2).some((argument) => !argument.startsWith("-"));
  const script = process.env.npm_lifecycle_event;
  const select = arePathsGiven ? undefined : SELECT[script];
  const filtered = select ? paths.filter(select) : paths;
  if (script in RUNS_REST)
    module.exports.leftOut = { count: paths.length - filtered.length, runner: RUNS_REST[script] };
  return { filtered };
};

function hasLine(path, name) {
  return new RegExp(`^// @${name}(?:, \\d+ s)?: \\S`, "m").test(readFileSync(path, "utf8"));
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
