// Suites that take longest begin first: on a fresh machine jest knows no durations, and a long suite that
// begins last leaves one of the two workers idle. What is not listed follows by size, as with jest itself.
const fs = require('node:fs');

const LONGEST = [
  'engine-suites/faults',
  'engine-suites/restore',
  'engine-suites/kafka-frozen',
  'suites/console-pages',
  'suites/console-operator',
  'suites/console-account',
  'suites/console-access',
  'suites/console-edits',
  'suites/bounds',
  'suites/brute-force',
  'suites/documented-inputs',
  'money-model/src/check/check-seeds',
];

const rankOf = (file) => {
  const found = LONGEST.findIndex((name) => file.includes(name));
  return found < 0 ? LONGEST.length : found;
};

class LongestFirst {
  sort(tests) {
    const measured = [...tests].map((test) => {
      return { test, rank: rankOf(test.path), size: fs.statSync(test.path).size };
    });
    measured.sort((a, b) => a.rank - b.rank || b.size - a.size);
    return measured.map(({ test }) => test);
  }

  /** The order of `--onlyFailures`. */
  allFailedTests(tests) {
    return tests;
  }

  /** Durations of earlier runs are not asked for. */
  cacheResults() {}

  shard(tests, { shardIndex, shardCount }) {
    return [...tests].filter((_test, index) => index % shardCount === shardIndex - 1);
  }
}

module.exports = LongestFirst;
