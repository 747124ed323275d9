import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setting } from '@tollgate/config';
import { eventCatalogue } from '@tollgate/events';
import { ROOT, readFromRoot } from '../repository';
import { listProductSources } from '../tidy/tidy';
import { collectReaders, collectSchemas } from './collect-configuration';
import { collectMetrics } from './metrics-page';
import { mergeReaders } from './read-settings';
import { findStalePages, REFERENCE_FOLDER, renderReferencePages } from './reference-pages';

const pages = renderReferencePages();

function readPages(folder: string): ReadonlyMap<string, string> {
  return new Map(readdirSync(folder).map((n) => [n, readFileSync(join(folder, n), 'utf8')]));
}

const sources = listProductSources().map((file) => [file, readFromRoot(file)] as const);

test('the reference says what the code says', () => {
  expect([...pages.keys()]).toEqual(['configuration.md', 'events.md', 'metrics.md']);
  expect(findStalePages(pages, readPages(join(ROOT, REFERENCE_FOLDER)))).toEqual([]);
});

test('a planted difference, a page that is gone and a page too many are caught', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  try {
    for (const [name, text] of pages) writeFileSync(join(folder, name), text);
    expect(findStalePages(pages, readPages(folder))).toEqual([]);
    writeFileSync(join(folder, 'events.md'), `${pages.get('events.md')}by hand\n`);
    rmSync(join(folder, 'metrics.md'));
    writeFileSync(join(folder, 'old.md'), '# Old\n');
    expect(findStalePages(pages, readPages(folder))).toEqual(['events.md', 'metrics.md', 'old.md']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every page has one title, and no path of this machine', () => {
  for (const [, text] of pages) {
    expect(text.match(/^# /gm)).toHaveLength(1);
    expect(text).not.toContain(ROOT);
  }
});

test('every variable of every schema is in exactly one row', () => {
  const names = mergeReaders(collectReaders()).map(({ name }) => name);
  const rows = pages.get('configuration.md')?.match(/^\| `[A-Z0-9_]+`/gm) ?? [];
  expect(names.length).toBeGreaterThan(150);
  expect([...rows].sort()).toEqual(names.map((name) => `| \`${name}\``).sort());
});

test('no schema of the workspace is left out of the page', () => {
  const declared = sources.flatMap(([, text]) => text.match(/= defineConfig\(/g) ?? []);
  expect(collectReaders()).toHaveLength(declared.length);
});

test('every default is accepted by its own setting', () => {
  const settings = collectSchemas().flatMap(({ schema }) =>
    Object.values<Setting<unknown>>(schema.settings),
  );
  const printed = settings
    .filter(({ defaultValue }) => defaultValue !== undefined)
    .map((setting) => ({ setting, text: setting.print(setting.defaultValue) }))
    .filter(({ text }) => text !== '');
  expect(printed.length).toBeGreaterThan(150);
  for (const { setting, text } of printed) {
    const value: unknown = setting.defaultValue;
    const { name } = setting;
    expect([name, setting.read(text, name)]).toEqual([name, { ok: true, value }]);
  }
});

test('every setting is documented by one sentence', () => {
  for (const { description } of collectReaders().flatMap(({ settings }) => settings)) {
    expect(description).toMatch(/^[A-Z].*\.$/);
  }
});

test('two services that disagree about a variable are caught', () => {
  const [first] = collectReaders().flatMap(({ settings }) => settings);
  if (first === undefined) throw new Error('no keys');
  const planted = { ...first, default: 'planted' };
  const merge = () =>
    mergeReaders([
      { reader: 'one', settings: [first] },
      { reader: 'other', settings: [planted] },
    ]);
  expect(merge).toThrow(`${first.name}: other and one disagree`);
});

test('every event has a heading, and every field a type and a meaning', () => {
  const text = pages.get('events.md') ?? '';
  expect(text.match(/^### /gm)?.length).toBe(eventCatalogue.length);
  const rows = text.match(/^\| `.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(80);
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const incomplete = cells.filter((row) => row.length !== 3 || row.includes(''));
  expect(incomplete.map(([path]) => path)).toEqual([]);
});

test('every metric name in the source is in the page', () => {
  const text = pages.get('metrics.md') ?? '';
  const inSource = sources
    .filter(([file]) => /metrics\.ts$/.test(file))
    .flatMap(([, source]) => source.match(/'tollgate_[a-z_]+'/g) ?? []);
  expect(inSource.length).toBeGreaterThan(35);
  const missing = inSource.filter((name) => !text.includes(`| \`${name.slice(1, -1)}\` |`));
  expect(missing).toEqual([]);
});

test('metrics are called after their part and unit, and each has a sentence', () => {
  const all = [...collectMetrics().values()].flat();
  expect(all.filter(({ name, help }) => !name.startsWith('tollgate_') || help === '')).toEqual([]);
  const counters = all.filter(({ kind }) => kind === 'counter');
  expect(counters.filter(({ name }) => !name.endsWith('_total'))).toEqual([]);
});
