import { posix } from 'node:path';
import type { Violation } from './violation';

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
/** Back-ticked repository paths such as `packages/core/src/ids.ts`. */
const FOLDERS = 'protos|services|packages|deploy|test-e2e|docs';
const ENDINGS = 'ts|tsx|cjs|mjs|md|json|ya?ml|proto';
const PATH = new RegExp(`\`((?:${FOLDERS})/[A-Za-z0-9._/-]+\\.(?:${ENDINGS}))\``, 'g');

/**
 * One title for each page, and no link or named path that leads nowhere. `exists` answers for a
 * path relative to the repository's root.
 */
export function checkMarkdown(
  file: string,
  text: string,
  exists: (path: string) => boolean,
): readonly Violation[] {
  const found: Violation[] = [];
  const prose = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''));
  const titles = prose.split('\n').filter((line) => /^# /.test(line));
  if (titles.length !== 1) {
    found.push({ file, line: 0, rule: 'title', detail: `${titles.length} titles, exactly one` });
  }
  prose.split('\n').forEach((line, index) => {
    for (const target of targetsOf(file, line)) {
      if (exists(target)) continue;
      found.push({ file, line: index + 1, rule: 'dead-link', detail: target });
    }
  });
  return found;
}

function targetsOf(file: string, line: string): readonly string[] {
  const links = [...line.matchAll(LINK)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^(https?:|mailto:|#)/.test(target))
    .map((target) => posix.normalize(posix.join(posix.dirname(file), target.split('#')[0] ?? '')));
  const paths = [...line.matchAll(PATH)].map((match) => match[1] ?? '');
  return [...links, ...paths];
}
