import type { Violation } from './violation';

const VAGUE_FOLDERS: ReadonlySet<string> = new Set([
  'utils',
  'util',
  'shared',
  'common',
  'lib',
  'helpers',
]);
const KEBAB_FILE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.tsx?$/;

/** File and folder names: kebab-case, and no folder whose name says nothing. */
export function checkName(file: string): readonly Violation[] {
  if (/\/gen\//.test(file)) return [];
  const parts = file.split('/');
  const name = parts.at(-1) ?? '';
  const found: Violation[] = [];
  for (const folder of parts.slice(0, -1)) {
    if (VAGUE_FOLDERS.has(folder)) {
      found.push({ file, line: 0, rule: 'folder-name', detail: `"${folder}" names no concept` });
    }
  }
  if (/\.tsx?$/.test(name) && !KEBAB_FILE.test(name) && name !== 'vite-env.d.ts') {
    found.push({ file, line: 0, rule: 'file-name', detail: 'use kebab-case' });
  }
  return found;
}
