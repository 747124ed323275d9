import { checkComments, checkMarkdown, checkName, checkSource } from './rules';
import { formatViolation, tidy } from './tidy';

test('the whole tree keeps the house style', () => {
  const report = tidy();
  expect(report.sourceFiles).toBeGreaterThan(100);
  expect(report.markdownFiles).toBeGreaterThan(10);
  expect(report.violations.map(formatViolation)).toEqual([]);
});

const FILE = 'services/billing/src/domain/planted.ts';
const body = (lines: number) => `${'  work();\n'.repeat(lines)}`;

test('a planted function that is too long is caught', () => {
  const [violation] = checkSource(FILE, `function long() {\n${body(69)}}\n`);
  expect(violation).toMatchObject({ rule: 'function-length', line: 1 });
});

test('functions inside a factory are counted for themselves, and the factory without them', () => {
  const inner = `  const a = () => {\n${body(40)}  };\n`;
  expect(checkSource(FILE, `function factory() {\n${inner.repeat(5)}}\n`)).toEqual([]);
  const long = `  const a = () => {\n${body(80)}  };\n`;
  const [violation] = checkSource(FILE, `function factory() {\n${long}}\n`);
  expect(violation).toMatchObject({ rule: 'function-length', line: 2 });
});

test('a function of the length that is allowed has no violation', () => {
  const text = `function fits() {\n${body(68)}}\n`;
  expect(checkSource(FILE, text)).toEqual([]);
});

test('a planted folder whose name says nothing is caught', () => {
  const violations = checkName('services/billing/src/utils/x.ts');
  expect(violations).toMatchObject([{ rule: 'folder-name' }]);
});

test('a planted program among recorded data, which linters pass over, is caught', () => {
  const violations = checkName('services/billing/src/storage/__fixtures__/x.ts');
  expect(violations).toMatchObject([{ rule: 'fixture-code' }]);
});

test.each([
  ['two titles', '# One\n\n# Two\n', 'title'],
  ['a dead link', '# One\n\n[gone](./gone.md)\n', 'dead-link'],
  ['a dead path', '# One\n\nSee `packages/core/src/gone.ts`.\n', 'dead-link'],
  ['a dead path from the page', '# One\n\nSee `src/gone.ts`.\n', 'dead-link'],
])('planted %s in a page is caught', (_name, text, rule) => {
  const violations = checkMarkdown('docs/README.md', text, () => false);
  expect(violations.map((violation) => violation.rule)).toContain(rule);
});

test('a number sign inside a code block is no title', () => {
  expect(checkMarkdown('docs/a.md', '# One\n\n```sh\n# comment\n```\n', () => true)).toEqual([]);
});

test.each([
  ['# as docs/gone.md says\n', 1],
  ['{{/*\nsee docs/gone.md\n*/}}\n', 2],
  ['image: x # docs/gone.md\n', 1],
])('a planted dead path in the comment %j is caught', (text, line) => {
  const violations = checkComments('deploy/planted.yaml', text, () => false);
  expect(violations).toEqual([
    { file: 'deploy/planted.yaml', line, rule: 'dead-link', detail: 'docs/gone.md' },
  ]);
});

test('a path outside a comment is data', () => {
  expect(checkComments('deploy/a.yaml', '{{/* x */}}\nfile: docs/gone.md\n', () => false)).toEqual(
    [],
  );
});
