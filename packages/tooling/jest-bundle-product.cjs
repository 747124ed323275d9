const { withPreparationLock } = require('./bootstrap/lock.cjs');
const { ensureBundled } = require('./bootstrap/prepare.cjs');

/** The product that the suites start is made from the sources as they are now. */
module.exports = async () => {
  await withPreparationLock(() => ensureBundled({ node: process.execPath, env: process.env }));
};
