// Jest reporter that says at the end of a run which tests were left out or skipped, and why. CommonJS, as select-tests.cjs.
const { readFileSync } = require("node:fs");
const { relative } = require("node:path");
const select = require("./select-tests.cjs");

/** The requirement of a skipped test, by the condition that its file has. */
const REQUIREMENTS = [
  [/\bexecutablePath\b|\bdescribeInChromium\b/, "Chromium (Debian: chromium-headless-shell)"],
  [/\bCITUS_SOURCE\b/, "a checkout of Citus (CITUS_SOURCE)"],
  [/\bPGBOUNCER_VERSION\b/, "PgBouncer (Debian: pgbouncer)"],
  [/\bPOSTGRES_URL\b|\bengines\.js"/, "PostgreSQL (or TEST_DATABASE_URL)"],
  [/\bfindTraceProblem\b/, "strace (Debian: strace)"],
  [/\bcreateSmallDisk\b/, "the right to mount a disk"],
  [/\bfindRegistryFailure\b/, "the npm registry"],
  [/\bTENON_PACKAGE_TEST\b/, "TENON_PACKAGE_TEST=1 and the npm registry"],
  [/\bSTRIPPING_NODE\b/, "Node.js 22.18 or later (STRIPPING_NODE)"],
  [/"\/dev\/full"|"\/proc"|"win32"/, "Linux"],
];

/** Names the requirements of the tests in a file that can be skipped: `PgBouncer (…), PostgreSQL (…)`. */
function findRequirements(path) {
  const text = readFileSync(path, "utf8");
  return REQUIREMENTS.filter(([condition]) => condition.test(text))
    .map(([, requirement]) => requirement)
    .join(", ");
}

module.exports = class {
  #isFiltered;

  constructor({ testNamePattern }) {
    this.#isFiltered = Boolean(testNamePattern);
  }

  onRunComplete(_, { testResults }) {
    const lines = [];
    const { count, runner } = select.leftOut ?? { count: 0 };
    if (count > 0) lines.push(`${count} test files are left out; \`npm run ${runner}\` runs them.`);
    const groups = new Map();
    // With a pattern, all tests that it does not match count as skipped.
    for (const { testFilePath, numPendingTests } of this.#isFiltered ? [] : testResults) {
      if (numPendingTests === 0) continue;
      const needed = findRequirements(testFilePath) || `what ${relative(process.cwd(), testFilePath)} needs`;
      groups.set(needed, (groups.get(needed) ?? 0) + numPendingTests);
    }
    for (const [needed, tests] of groups) lines.push(`${tests} skipped, for lack of ${needed}.`);
    if (lines.length > 0) process.stderr.write(`\nNot run:\n  ${lines.join("\n  ")}\n`);
  }
};
module.exports.findRequirements = findRequirements;
