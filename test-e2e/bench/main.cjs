// `npm run bench`: measures against a plain pass-through, and counts what the store is asked.
'use strict';

require('../support/run-typescript.cjs');

import('./cli')
  .then(({ run }) => run(process.argv.slice(2)))
  .catch((error) => {
    process.stderr.write(`bench: ${error.stack}\n`);
    process.exit(1);
  });
