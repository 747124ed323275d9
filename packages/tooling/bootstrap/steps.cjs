// What `npm test` runs, in this order. A step is one of
//   { name, prepare }            a function of prepare.cjs by name
//   { name, generated: true }    the generators run and must change nothing
//   { name, command, cwd?, needs? }  a program of <cwd>/node_modules/.bin or of the PATH; `needs`
//                                names the file without which the step is skipped, and counted so
//   { name, jest }               a jest project, whose tests are counted one by one
// A failing step never hides a later one.

/** How `npm run generate` makes the committed files, and where they are. */
const GENERATORS = [
  { name: 'protos', command: ['node', 'generate.cjs'], cwd: 'protos', outputs: ['protos/src/gen'] },
];

const STEPS = [
  { name: 'install', prepare: 'ensureInstalled' },
  { name: 'generated files', generated: true },
  { name: 'buf lint', command: ['buf', 'lint'], cwd: 'protos' },
  {
    name: 'buf breaking',
    command: ['buf', 'breaking', '--against', 'descriptor.binpb'],
    cwd: 'protos',
    needs: 'protos/descriptor.binpb',
  },
  { name: 'biome', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'compile', command: ['tsc', '-b'] },
  {
    name: 'test types',
    command: ['tsc', '-p', 'tsconfig.tests.json', '--noEmit'],
    needs: 'tsconfig.tests.json',
  },
  { name: 'eslint', command: ['eslint', '.'], needs: 'eslint.config.mjs' },
  {
    name: 'boundaries',
    command: ['depcruise', 'packages', 'services', 'protos', 'test-e2e'],
    needs: '.dependency-cruiser.cjs',
  },
  { name: 'knip', command: ['knip'], needs: 'knip.json' },
  { name: 'console', prepare: 'ensureConsole' },
  { name: 'unit', jest: 'unit' },
  { name: 'e2e', jest: 'e2e' },
];

module.exports = { GENERATORS, STEPS };
