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
import { dirname, join } from 'node:path';
import { REPOSITORY, runTool } from './run-tool';

const PROTOS = join(REPOSITORY, 'protos');
const BUF = join(PROTOS, 'node_modules/.bin/buf');
const bin = (name: string) => join(REPOSITORY, 'node_modules/.bin', name);

jest.setTimeout(120_000);

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gates-'));
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
  editContract(STATS, '// Everything that was posted before this time is included.', '//');
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

test('planted faults that need types are caught', () => {
  const rules = readFileSync(join(REPOSITORY, 'eslint.config.mjs'), 'utf8');
  write(
    'eslint.config.mjs',
    rules
      .replaceAll(
        /from '(eslint\/config|typescript-eslint)'/g,
        (_match, name) => `from '${join(REPOSITORY, 'node_modules', String(name))}'`,
      )
      .replace("node_modules/eslint/config'", "node_modules/eslint/lib/config-api.js'")
      .replace("node_modules/typescript-eslint'", "node_modules/typescript-eslint/dist/index.js'"),
  );
  const project = { compilerOptions: { strict: true }, include: ['*.ts'] };
  write('tsconfig.lint.json', JSON.stringify(project));
  write(
    'planted.ts',
    [
      'async function later(): Promise<number> { return 1; }',
      'later();',
      "const kind = 'a' as 'a' | 'b';",
      "switch (kind) { case 'a': break; }",
      'const loose = JSON.parse("1");',
      'loose.call();',
      '',
    ].join('\n'),
  );
  const run = runTool(bin('eslint'), ['planted.ts'], directory);
  expect(run.exitCode).not.toBe(0);
  for (const rule of ['no-floating-promises', 'switch-exhaustiveness-check', 'no-unsafe-call']) {
    expect(run.output).toContain(rule);
  }
});

test('a planted format fault and a planted default export are caught', () => {
  cpSync(join(REPOSITORY, 'biome.json'), join(directory, 'biome.json'));
  const config = readFileSync(join(directory, 'biome.json'), 'utf8');
  writeFileSync(
    join(directory, 'biome.json'),
    config.replace('"enabled": true', '"enabled": false'),
  );
  write('planted.ts', 'const a   = "x"\nexport default a\n');
  const run = runTool(bin('biome'), ['ci', '.'], directory);
  expect(run.exitCode).not.toBe(0);
  expect(run.output).toContain('noDefaultExport');
  expect(run.output).toContain('format');
});
