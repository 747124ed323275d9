const path = require('node:path');

const ROOT = path.resolve(__dirname, '../../..');

module.exports = {
  ROOT,
  /** Everything the bootstrap installs or remembers; never outside the repository. */
  TOOLCHAIN: path.join(ROOT, '.toolchain'),
  /** Reports of the test steps. */
  CACHE: path.join(ROOT, '.cache'),
  /** What the bundler writes: the program that `npm start` hands over to, and what it loads. */
  PRODUCT: 'services/all-in-one/dist/main.js',
  BUNDLE: 'services/all-in-one/dist/bundle',
  /** Checks and compiles; ESLint and the style rules read sources by the library `typescript`. */
  COMPILER: 'node_modules/typescript-compiler/bin/tsc',
  inRoot: (...parts) => path.join(ROOT, ...parts),
};
