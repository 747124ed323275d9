import { dirname, join } from 'node:path';

/**
 * Loads a module that is no part of its package's front door: a reference page may show what no
 * other code has a reason to import. The same line finds the source in tests and the compiled file
 * otherwise. The caller names the module's type, which the type checker cannot see from here.
 */
export function loadInside<Module>(packageName: string, path: string): Module {
  const folder = dirname(require.resolve(packageName));
  return require(join(folder, path)) as Module;
}
