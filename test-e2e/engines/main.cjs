// Starts and stops real engines for tests: `node test-e2e/engines/main.cjs start --out engines.env`.
// The program is TypeScript, which Node runs as it is; only the imports lack their endings.
'use strict';

const { registerHooks } = require('node:module');

const OLDEST_NODE = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST_NODE) {
  process.stderr.write(`engines: needs Node ${OLDEST_NODE} or newer, this is ${process.version}\n`);
  process.exit(2);
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isOurs = specifier.startsWith('.') && !/\.[cm]?[jt]s$/.test(specifier);
    const resolved = nextResolve(isOurs ? `${specifier}.ts` : specifier, context);
    // Said outright, because the package names no module type and Node would guess with a warning.
    return isOurs ? { ...resolved, format: 'module-typescript' } : resolved;
  },
});

import('./cli').then(
  ({ run }) => run(process.argv.slice(2)),
  (error) => {
    process.stderr.write(`engines: ${error.stack}\n`);
    process.exit(1);
  },
);
