import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the repository: where the command was given, or else around the program that runs. */
export const REPOSITORY = findRoot([process.cwd(), dirname(process.argv[1] ?? '')]);

/** The product with its commands, built. */
export const PRODUCT_MAIN = join(REPOSITORY, 'services/all-in-one/dist/main.js');

/** The embedded store as a process of its own, built. */
export const STORE_MAIN = join(REPOSITORY, 'packages/embedded-mongo/dist/main.js');

/** Starts a program of this folder that nobody builds. */
export const RUN_TYPESCRIPT = join(REPOSITORY, 'test-e2e/support/run-typescript.cjs');

function findRoot(beginnings: readonly string[]): string {
  for (const beginning of beginnings) {
    for (let path = beginning; path !== dirname(path); path = dirname(path)) {
      if (existsSync(join(path, 'pnpm-workspace.yaml'))) return path;
    }
  }
  throw new Error(`no repository around ${beginnings.join(' or ')}`);
}
