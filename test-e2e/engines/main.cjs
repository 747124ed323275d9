// Starts and stops real engines for tests: `node test-e2e/engines/main.cjs start --out engines.env`.
'use strict';

require('../support/run-typescript.cjs');

import('./cli').then(
  ({ run }) => run(process.argv.slice(2)),
  (error) => {
    process.stderr.write(`engines: ${error.stack}\n`);
    process.exit(1);
  },
);
