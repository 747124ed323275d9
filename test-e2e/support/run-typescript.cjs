// Runs a TypeScript program of this folder as it is: Node strips the types, and these hooks add the
// endings that our imports leave out. Nothing has to be built first.
'use strict';

const { registerHooks } = require('node:module');

const OLDEST_NODE = 24;

/** Loads the program; ends the process with 2 on a Node that cannot. */
function requireNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= OLDEST_NODE) return;
  process.stderr.write(`needs Node ${OLDEST_NODE} or newer, this is ${process.version}\n`);
  process.exit(2);
}

requireNode();
registerHooks({
  resolve(specifier, context, nextResolve) {
    const isRelative = specifier.startsWith('.') && !/\.[cm]?[jt]s$/.test(specifier);
    const isOurs = isRelative && !context.parentURL?.includes('/node_modules/');
    const resolved = nextResolve(isOurs ? `${specifier}.ts` : specifier, context);
    // Said outright, because the package names no module type and Node would guess with a warning.
    return isOurs ? { ...resolved, format: 'module-typescript' } : resolved;
  },
});
