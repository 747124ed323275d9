import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../repository';

const { removeLeftovers, transpile } = require('../../bootstrap/transpile.cjs') as {
  removeLeftovers(folders: readonly string[], bundled?: readonly string[]): void;
  transpile(folders: readonly string[]): Promise<number>;
};
const { BUNDLE, PRODUCT } = require('../../bootstrap/paths.cjs') as {
  readonly BUNDLE: string;
  readonly PRODUCT: string;
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

test('what a source that is gone was written to is removed', async () => {
  const moved = join(folder, 'src/moved.ts');
  writeFileSync(moved, 'export const moved = 1;\n');
  expect(await transpile([fromRoot])).toBe(1);
  rmSync(moved);
  await transpile([fromRoot]);
  const left = readdirSync(join(folder, 'dist'), { recursive: true });
  expect(left).toContain('index.js');
  expect(left.filter((name) => String(name).startsWith('moved'))).toEqual([]);
});

test('what the bundler writes among them stays', () => {
  expect([PRODUCT, BUNDLE]).toEqual(
    ['main.js', 'bundle'].map((name) => `services/all-in-one/dist/${name}`),
  );
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'bundle'), { recursive: true });
  const written = ['main.js', join('bundle', 'core.js'), 'bundle.js'];
  for (const name of written) writeFileSync(join(dist, name), '');
  removeLeftovers([fromRoot], [`${fromRoot}/dist/main.js`, `${fromRoot}/dist/bundle`]);
  expect(written.filter((name) => existsSync(join(dist, name)))).toEqual(written.slice(0, 2));
});

test('a source that cannot be read as TypeScript is an error that names it', async () => {
  writeFileSync(join(folder, 'src/broken.ts'), 'export const = 1;\n');
  await expect(transpile([fromRoot])).rejects.toThrow('broken.ts');
});
