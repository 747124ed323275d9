import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../repository';

const { transpile } = require('../../bootstrap/transpile.cjs') as {
  transpile(folders: readonly string[]): Promise<number>;
};

const folder = mkdtempSync(join(tmpdir(), 'transpile-'));
const fromRoot = relative(ROOT, folder);

beforeAll(() => {
  mkdirSync(join(folder, 'src/inner'), { recursive: true });
  writeFileSync(
    join(folder, 'src/index.ts'),
    "import { half } from './inner/half';\nexport const quarter = (n: number): number => half(half(n));\n",
  );
  writeFileSync(join(folder, 'src/inner/half.ts'), 'export const half = (n: number) => n / 2;\n');
  writeFileSync(join(folder, 'src/inner/half.test.ts'), 'this is no source\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('what was written runs, and is not written again until its source changes', async () => {
  expect(await transpile([fromRoot])).toBe(2);
  const { quarter } = require(join(folder, 'dist/index.js')) as { quarter(n: number): number };
  expect(quarter(8)).toBe(2);
  expect(await transpile([fromRoot])).toBe(0);
});

test('what a source that is gone was written to is removed, and the bundle stays', async () => {
  const moved = join(folder, 'src/moved.ts');
  writeFileSync(moved, 'export const moved = 1;\n');
  expect(await transpile([fromRoot])).toBe(1);
  mkdirSync(join(folder, 'dist/bundle'));
  writeFileSync(join(folder, 'dist/bundle/core.js'), '');
  rmSync(moved);
  await transpile([fromRoot]);
  const left = readdirSync(join(folder, 'dist'), { recursive: true });
  expect(left).toContain(join('bundle', 'core.js'));
  expect(left.filter((name) => String(name).startsWith('moved'))).toEqual([]);
});

test('a source that cannot be read as TypeScript is an error that names it', async () => {
  writeFileSync(join(folder, 'src/broken.ts'), 'export const = 1;\n');
  await expect(transpile([fromRoot])).rejects.toThrow('broken.ts');
});
