// `npm run bench`: measures against a plain pass-through.
'use strict';

require('../support/run-typescript.cjs');

import('./bench').catch((error) => {
  process.stderr.write(`bench: ${error.stack}\n`);
  process.exit(1);
});
