import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGuide } from './guide';

const pathsIn = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);

describe('the guide', () => {
  const guide = createGuide();
  const first = guide.read('guide/getting-started') ?? '';

  test('has every page of its menu, and every link of theirs leads to a page or elsewhere', () => {
    const menu = pathsIn(first).filter((href) => /^\/docs\/[a-z/-]+$/.test(href));
    expect(menu.length).toBeGreaterThan(8);
    for (const page of new Set(menu)) {
      const html = guide.read(page.slice('/docs/'.length));
      if (html === undefined) throw new Error(`${page} is not there`);
      for (const href of pathsIn(html)) {
        const [path = '', fragment] = href.split('#');
        if (!path.startsWith('/docs/') || path.endsWith('.css')) continue;
        const target = guide.read(path.slice('/docs/'.length));
        expect([page, href, target !== undefined]).toEqual([page, href, true]);
        if (fragment !== undefined) expect(target).toContain(`id="${fragment}"`);
      }
    }
  });

  test('names every error code', () => {
    const codes = pathsIn(guide.read('guide/errors') ?? '').filter((href) => /[A-Z]$/.test(href));
    expect(new Set(codes).size).toBe(23);
  });

  test('marks the page that is open', () => {
    expect(first).toMatch(/href="\/docs\/guide\/getting-started" aria-current="page"/);
  });

  test('reads nothing but its pages', () => {
    for (const path of ['../README', 'guide/../../README', 'guide', '', 'guide/errors.md']) {
      expect(guide.read(path)).toBeUndefined();
    }
  });
});

test('a page may hold anything that a text may hold', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  try {
    mkdirSync(join(folder, 'guide'));
    const text = '# A "<b>" & c\n\n[gone](../gone.md) [here](b.md#two) `<i>`\n\n## Two\n\n## Two\n';
    writeFileSync(join(folder, 'guide/a.md'), text);
    writeFileSync(join(folder, 'guide/b.md'), 'without a title');
    const guide = createGuide(folder);
    const html = guide.read('guide/a');
    expect(html).toContain('<title>A &quot;&lt;b&gt;&quot; &amp; c · Tollgate</title>');
    expect(html).toContain(
      '<p>gone <a href="/docs/guide/b#two">here</a> <code>&lt;i&gt;</code></p>',
    );
    expect(html).toContain('<h2 id="two">Two</h2>');
    expect(html).toContain('<h2 id="two-1">Two</h2>');
    expect(guide.read('guide/b')).toContain('<title>b · Tollgate</title>');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an image that was built without the pages has none', () => {
  expect(createGuide('/nonexistent').read('guide/getting-started')).toBeUndefined();
});
