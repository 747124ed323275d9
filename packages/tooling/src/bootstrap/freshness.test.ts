import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../repository';

const { newestChangeMs } = require('../../bootstrap/freshness.cjs') as {
  newestChangeMs(paths: readonly string[]): number;
};
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tg-freshness-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/page.ts'), '');
  writeFileSync(join(folder, 'src/removed.ts'), '');
  for (const name of ['src/page.ts', 'src/removed.ts', 'src', '']) {
    utimesSync(join(folder, name), LONG_AGO, LONG_AGO);
  }
});

afterEach(() => rmSync(folder, { recursive: true }));

const newest = () => newestChangeMs([relative(ROOT, folder)]);

it('what a build writes beside its sources makes nothing stale', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/page.js'), '');
  expect(newest()).toBe(LONG_AGO.getTime());
});

it('a changed source and a removed one are changes', () => {
  rmSync(join(folder, 'src/removed.ts'));
  const removed = newest();
  expect(removed).toBeGreaterThan(LONG_AGO.getTime());
  const later = new Date(removed + 60_000);
  utimesSync(join(folder, 'src/page.ts'), later, later);
  expect(newest()).toBe(later.getTime());
});
