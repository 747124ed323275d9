// `npm run faults`: kills and freezes processes under load and compares every charge with the truth.
'use strict';

require('../support/run-typescript.cjs');

import('./cli').then(
  ({ run }) => run(process.argv.slice(2)),
  (error) => {
    process.stderr.write(`faults: ${error.stack}\n`);
    process.exit(1);
  },
);
