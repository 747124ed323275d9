import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOT, readFromRoot } from '../repository';

const PROTOS = join(ROOT, 'protos');
const BUF = join(PROTOS, 'node_modules/.bin/buf');
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

jest.setTimeout(120_000);

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'planted-violations-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(directory, file)), { recursive: true });
  writeFileSync(join(directory, file), text);
}

function copyContracts(): void {
  cpSync(join(PROTOS, 'tollgate'), join(directory, 'tollgate'), { recursive: true });
  cpSync(join(PROTOS, 'buf.yaml'), join(directory, 'buf.yaml'));
}

function editContract(file: string, from: string, to: string): void {
  const text = readFileSync(join(directory, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(directory, file), text.replace(from, to));
}

const AGAINST = join(PROTOS, 'descriptor.binpb');
const STATS = 'tollgate/stats/v1/stats.proto';

test('the contracts pass lint and break nothing', () => {
  expect(runTool(BUF, ['lint'], PROTOS)).toEqual({ exitCode: 0, output: '' });
  expect(runTool(BUF, ['breaking', '--against', AGAINST], PROTOS).exitCode).toBe(0);
});

test('a planted bad name in a contract is caught by lint', () => {
  copyContracts();
  editContract(STATS, 'rpc QueryUsage(QueryUsageRequest)', 'rpc query_usage(QueryUsageRequest)');
  const run = runTool(BUF, ['lint'], directory);
  expect(run.exitCode).not.toBe(0);
  expect(run.output).toContain('query_usage');
});

test('a planted removal from a contract is caught as breaking', () => {
  copyContracts();
  editContract(STATS, '  string as_of = 3;\n', '');
  const run = runTool(BUF, ['breaking', '--against', AGAINST], directory);
  expect(run.exitCode).not.toBe(0);
  expect(run.output).toContain('as_of');
});

test('generated contract types are what the contracts generate', () => {
  // A copy with links to the tools, so that the tree that is tested is never written to.
  cpSync(join(PROTOS, 'src'), join(directory, 'src'), { recursive: true });
  copyContracts();
  for (const file of ['buf.gen.yaml', 'generate.cjs', 'package.json']) {
    cpSync(join(PROTOS, file), join(directory, file));
  }
  symlinkSync(join(PROTOS, 'node_modules'), join(directory, 'node_modules'));
  expect(runTool(process.execPath, ['generate.cjs'], directory).exitCode).toBe(0);
  const compare = () =>
    runTool('diff', ['-r', join(PROTOS, 'src/gen'), join(directory, 'src/gen')], directory);
  expect(compare()).toEqual({ exitCode: 0, output: '' });

  // The planted difference: a comment in a contract that nobody regenerated.
  editContract(STATS, 'Operators only.', 'Planted.');
  expect(runTool(process.execPath, ['generate.cjs'], directory).exitCode).toBe(0);
  expect(compare().exitCode).not.toBe(0);
});

test('planted dead code is caught', () => {
  write('package.json', JSON.stringify({ name: 'planted', main: 'src/index.ts' }));
  write('knip.json', JSON.stringify({ entry: ['src/index.ts'], project: ['src/**/*.ts'] }));
  write('tsconfig.json', '{}');
  write('src/index.ts', "import { used } from './code';\nused();\n");
  write('src/code.ts', 'export const used = () => 1;\nexport const unused = () => 2;\n');
  write('src/orphan.ts', 'export const orphan = 1;\n');
  const run = runTool(bin('knip'), ['--no-progress'], directory);
  expect(run.exitCode).not.toBe(0);
  expect(run.output).toContain('unused');
  expect(run.output).toContain('orphan');
});

/** A planted fault for each rule of ours that does not come with the linter's own choice. */
const BIOME_PLANTS: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['noDefaultExport', 'default.ts', 'const a = 1;\nexport default a;\n'],
  ['noNonNullAssertion', 'non-null.ts', 'use(value!);\n'],
  ['noEnum', 'enum.ts', 'export enum Color { Red }\n'],
  ['noNamespace', 'namespace.ts', 'export namespace N {}\n'],
  ['noExplicitAny', 'any.ts', 'export let x: any = 1;\n'],
  ['noConsole', 'console.ts', "console.log('x');\n"],
  ['noProcessEnv', 'services/a/src/environment.ts', 'export const home = process.env.HOME;\n'],
  ['noTsIgnore', 'ignore.ts', '// @ts-ignore\nexport const a = 1;\n'],
  ['useMaxParams', 'parameters.ts', 'export function f(a, b, c, d, e, g) {}\n'],
  ['noExcessiveLinesPerFile', 'long.ts', 'work();\n'.repeat(401)],
  ['noExcessiveLinesPerFile', 'long.test.ts', 'work();\n'.repeat(601)],
  ['useFilenamingConvention', 'camelCase.ts', 'export const a = 1;\n'],
  ['useImportType', 'import.ts', "import { T } from './t';\nexport const a: T = 1;\n"],
  ['useNodejsImportProtocol', 'protocol.ts', "import { join } from 'path';\njoin();\n"],
  ['noForEach', 'each.ts', 'list.forEach((item) => use(item));\n'],
  ['suppressions/parse', 'reason.ts', `// biome-${'ignore'} lint/style/noEnum\nenum A { B }\n`],
  ['format', 'format.ts', 'export const a   = "x"\n'],
];

test('every planted fault of style is caught by Biome', () => {
  const rules = readFromRoot('biome.json');
  write('biome.json', rules.replace('"enabled": true', '"enabled": false'));
  for (const [, file, text] of BIOME_PLANTS) write(file, text);
  const run = runTool(
    bin('biome'),
    ['ci', '.', '--max-diagnostics=none', '--colors=off'],
    directory,
  );
  expect(run.exitCode).not.toBe(0);
  // Each finding begins with `file:line:column category` or `file category`.
  const caught = BIOME_PLANTS.map(([rule, file]) => [
    rule,
    file,
    run.output.split('\n').some((line) => line.startsWith(file) && line.includes(rule)),
  ]);
  expect(caught.filter(([, , found]) => found === false)).toEqual([]);
});

const LOOSE = 'const loose = JSON.parse("1");\n';
const PROMISED = ['TO', 'DO'].join('');
const CLOCK = 'declare const clock: { monotonicMs(): number };\n';
/** Each in a file of its own, so that no rule can stand in for another. */
const ESLINT_PLANTS: readonly (readonly [rule: string, text: string])[] = [
  ['no-floating-promises', 'async function later(): Promise<void> {}\nlater();\n'],
  ['no-misused-promises', 'async function yes() { return true; }\nif (yes()) throw new Error();\n'],
  ['await-thenable', 'async function f() { await 1; }\nvoid f();\n'],
  [
    'switch-exhaustiveness-check',
    "const kind = 'a' as 'a' | 'b';\nswitch (kind) { case 'a': break; }\n",
  ],
  ['no-unsafe-argument', `${LOOSE}String.raw(loose);\n`],
  ['no-unsafe-assignment', `${LOOSE}const other: string = loose;\n`],
  ['no-unsafe-call', `${LOOSE}loose();\n`],
  ['no-unsafe-member-access', `${LOOSE}loose.member;\n`],
  ['no-unsafe-return', `${LOOSE}function f(): string { return loose; }\n`],
  ['only-throw-error', "throw 'text';\n"],
  ['no-warning-comments', `// ${PROMISED} later\n`],
  ['max-len', `// ${'word '.repeat(25)}\n`],
  ['no-restricted-properties', 'const now = Date.now();\n'],
  ['no-restricted-properties', 'const now = performance.now();\n'],
  ['no-restricted-syntax', 'const now = new Date();\n'],
  ['no-restricted-syntax', `${CLOCK}export const nowMs = clock.monotonicMs();\n`],
  ['no-restricted-syntax', `${CLOCK}export const now = () => clock.monotonicMs();\n`],
  ['no-restricted-syntax', `${CLOCK}export const call = { dueAtMs: clock.monotonicMs() + 1 };\n`],
];

test('every planted fault that needs types, or that Biome does not know, is caught by ESLint', () => {
  const rules = readFromRoot('eslint.config.mjs');
  write(
    'eslint.config.mjs',
    rules
      .replaceAll(
        /from '(eslint\/config|typescript-eslint)'/g,
        (_match, name) => `from '${join(ROOT, 'node_modules', String(name))}'`,
      )
      .replace("node_modules/eslint/config'", "node_modules/eslint/lib/config-api.js'")
      .replace("node_modules/typescript-eslint'", "node_modules/typescript-eslint/dist/index.js'"),
  );
  const project = { compilerOptions: { strict: true, target: 'es2024' }, include: ['*.ts'] };
  write('tsconfig.lint.json', JSON.stringify(project));
  for (const [index, [, text]] of ESLINT_PLANTS.entries()) {
    write(`plant-${index}.ts`, `${text}export {};\n`);
  }
  // What cannot be switched off in place: rules are changed in the configuration, with a reason.
  write('switched-off.ts', `/* eslint-${'disable'} */\nexport const now = new Date();\n`);
  const run = runTool(bin('eslint'), ['.', '--format', 'json'], directory);
  expect(run.exitCode).toBe(1);
  const caught = new Map(
    readReport(run.output).map(({ filePath, messages }) => [
      basename(filePath),
      messages.map(({ ruleId }) => ruleId?.split('/').at(-1)),
    ]),
  );
  for (const [index, [rule]] of ESLINT_PLANTS.entries()) {
    expect(caught.get(`plant-${index}.ts`)).toContain(rule);
  }
  expect(caught.get('switched-off.ts')).toContain('no-restricted-syntax');
});

interface LintedFile {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null }[];
}

function readReport(output: string): readonly LintedFile[] {
  return JSON.parse(output) as readonly LintedFile[];
}

/** How a tool ended. */
interface ToolRun {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a program of the workspace's own toolchain; throws when it cannot be started at all. */
function runTool(program: string, args: readonly string[], directory: string): ToolRun {
  const run = spawnSync(program, args, {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.error !== undefined) throw run.error;
  return { exitCode: run.status ?? 1, output: `${run.stdout}${run.stderr}` };
}
