// `npm run e2e:distributed`: the end-to-end suites with every service apart, on real engines.
'use strict';

require('../support/run-typescript.cjs');

import('./distributed-cli').then(
  ({ run }) => run(process.argv.slice(2)),
  (error) => {
    process.stderr.write(`e2e:distributed: ${error.stack}\n`);
    process.exit(1);
  },
);
