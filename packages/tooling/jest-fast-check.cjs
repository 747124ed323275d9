// What tests get as `fast-check`: the library, with one seed for every property of the run.
// The same commit then gives the same result on every machine. A search with new seeds is asked for:
// TOLLGATE_TEST_SEED=random, or a number to repeat what such a search found.
const { dirname, join } = require('node:path');

const FIXED_SEED = 20_261_122;

// The package's own name leads back to this file (moduleNameMapper); its path does not.
const manifest = require.resolve('fast-check/package.json');
const library = require(join(dirname(manifest), 'lib', 'cjs', 'fast-check.js'));
const asked = process.env.TOLLGATE_TEST_SEED ?? FIXED_SEED;
if (asked !== 'random') library.configureGlobal({ seed: Number(asked) });
module.exports = library;
