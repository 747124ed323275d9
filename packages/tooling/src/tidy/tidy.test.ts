import { join } from 'node:path';
import { checkMarkdown } from './check-markdown';
import { checkName } from './check-names';
import { checkSource } from './check-source';
import { tidy } from './tidy';
import { formatViolation } from './violation';

const ROOT = join(__dirname, '../../../..');

test('the whole tree keeps the house style', () => {
  const report = tidy(ROOT);
  expect(report.sourceFiles).toBeGreaterThan(100);
  expect(report.markdownFiles).toBeGreaterThan(10);
  expect(report.violations.map(formatViolation)).toEqual([]);
});

const FILE = 'services/billing/src/domain/planted.ts';
const body = (lines: number) => `${'  work();\n'.repeat(lines)}`;

/** One planted violation for each rule: a rule that misses its plant is not a rule. */
const plants: readonly (readonly [rule: string, text: string])[] = [
  ['file-length', 'const a = 1;\n'.repeat(401)],
  ['function-length', `function long() {\n${body(69)}}\n`],
  ['columns', `const sum = ${'1 + '.repeat(30)}1 + other;\n`],
  ['parameters', 'function f(a: A, b: A, c: A, d: A, e: A, f: A) {}\n'],
  ['any', 'let x: any = 1;\n'],
  ['non-null', 'use(value!);\n'],
  ['default-export', 'export default 1;\n'],
  ['enum', 'enum Color { Red }\n'],
  ['namespace', 'namespace N {}\n'],
  ['console', "console.log('x');\n"],
  ['environment', 'const home = process.env.HOME;\n'],
  ['wall-clock', 'const now = Date.now();\n'],
  ['wall-clock', 'const now = new Date();\n'],
  ['promised-work', `// ${['TO', 'DO'].join('')} later\n`],
  ['disabled-rule', `// biome-${'ignore'} lint/style/x\n`],
];

test.each(plants)('a planted violation of %s is caught', (rule, text) => {
  expect(checkSource(FILE, text).map((violation) => violation.rule)).toContain(rule);
});

test('functions inside a factory are counted for themselves, and the factory without them', () => {
  const inner = `  const a = () => {\n${body(40)}  };\n`;
  expect(checkSource(FILE, `function factory() {\n${inner.repeat(5)}}\n`)).toEqual([]);
  const long = `  const a = () => {\n${body(80)}  };\n`;
  const [violation] = checkSource(FILE, `function factory() {\n${long}}\n`);
  expect(violation).toMatchObject({ rule: 'function-length', line: 2 });
});

test('code that keeps every budget has no violation', () => {
  const text = `function fits() {\n${body(68)}}\n`;
  expect(checkSource(FILE, text)).toEqual([]);
});

test.each([
  ['services/billing/src/utils/x.ts', 'folder-name'],
  ['services/billing/src/domain/camelCase.ts', 'file-name'],
])('a planted name %s is caught', (file, rule) => {
  expect(checkName(file).map((violation) => violation.rule)).toContain(rule);
});

test.each([
  ['two titles', '# One\n\n# Two\n', 'title'],
  ['a dead link', '# One\n\n[gone](./gone.md)\n', 'dead-link'],
  ['a dead path', '# One\n\nSee `packages/core/src/gone.ts`.\n', 'dead-link'],
])('planted %s in a page is caught', (_name, text, rule) => {
  const violations = checkMarkdown('docs/planted.md', text, () => false);
  expect(violations.map((violation) => violation.rule)).toContain(rule);
});

test('a number sign inside a code block is no title', () => {
  expect(checkMarkdown('docs/a.md', '# One\n\n```sh\n# comment\n```\n', () => true)).toEqual([]);
});
