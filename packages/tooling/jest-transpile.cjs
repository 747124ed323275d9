const { withPreparationLock } = require('./bootstrap/lock.cjs');
const { ensureTranspiled } = require('./bootstrap/prepare.cjs');

/** What threads and processes of the tests load is made from the sources as they are now. */
module.exports = async () => {
  await withPreparationLock(ensureTranspiled);
};
