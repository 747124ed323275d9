import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository, from `src` as from `dist`. */
export const ROOT = join(__dirname, '../../..');

/** The text of a file, by its path in the repository. */
export function readFromRoot(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
