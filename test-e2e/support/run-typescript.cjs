// Runs a TypeScript program as it is, `run-typescript.cjs test-e2e/engines/cli.ts ARGUMENT...`: Node strips the
// types, and these hooks add the endings that our imports leave out. Nothing has to be built first.
'use strict';

const { registerHooks } = require('node:module');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const OLDEST_NODE = 24;

/** Ends the process with 2 on a Node that cannot do it. */
function requireNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= OLDEST_NODE) return;
  process.stderr.write(`needs Node ${OLDEST_NODE} or newer, this is ${process.version}\n`);
  process.exit(2);
}

requireNode();
registerHooks({
  resolve(specifier, context, nextResolve) {
    const lacksEnding = specifier.startsWith('.') && !/\.[cm]?[jt]s$/.test(specifier);
    const isOurs = lacksEnding && !context.parentURL?.includes('/node_modules/');
    const resolved = nextResolve(isOurs ? `${specifier}.ts` : specifier, context);
    // Said outright, because the package names no module type and Node would guess with a warning.
    return resolved.url.endsWith('.ts') ? { ...resolved, format: 'module-typescript' } : resolved;
  },
});

if (require.main === module) {
  const [program = '', ...args] = process.argv.slice(2);
  import(pathToFileURL(resolve(program)).href)
    .then(({ run }) => run(args))
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    });
}
