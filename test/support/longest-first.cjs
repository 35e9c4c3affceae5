// Starts the longest tests first, as Jest's testSequencer: a long test that starts last would run alone while other processors idle.
// The first line of a test says how long it takes on two processors: `// @thorough, 300 s: <reason>`. Other tests follow in Jest's own
// order: the slowest of the last run first or, in a fresh clone, the largest.
// CommonJS, as select-tests.cjs.
const { readFileSync } = require("node:fs");
const { default: Sequencer } = require("@jest/test-sequencer");

module.exports = class extends Sequencer {
  sort(tests) {
    const seconds = new Map(tests.map((test) => [test, readSeconds(test.path)]));
    return super.sort(tests).sort((a, b) => seconds.get(b) - seconds.get(a));
  }
};

function readSeconds(path) {
  return Number(/^\/\/ @(?:slow|thorough), (\d+) s: /m.exec(readFileSync(path, "utf8"))?.[1] ?? 0);
}
