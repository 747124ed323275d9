import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the repository: where the command was given, or else around the program that runs. */
export const REPOSITORY = findRoot([process.cwd(), dirname(process.argv[1] ?? '')]);

function findRoot(beginnings: readonly string[]): string {
  for (const beginning of beginnings) {
    for (let path = beginning; path !== dirname(path); path = dirname(path)) {
      if (existsSync(join(path, 'pnpm-workspace.yaml'))) return path;
    }
  }
  throw new Error(`no repository around ${beginnings.join(' or ')}`);
}
