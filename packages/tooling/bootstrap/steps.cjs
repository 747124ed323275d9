// What `npm test` runs, in this order. A step is one of
//   { name, prepare }            a function of prepare.cjs by name
//   { name, generated: true }    the generators run and must change nothing
//   { name, command, cwd? }      a program of <cwd>/node_modules/.bin or of the PATH
//   { name, jest, workers? }     a jest project, whose tests are counted one by one
// A step that is `beside` runs while the next ones do.
// `environment` names variables without which a step is skipped, and counted so. A failing step never
// hides a later one. Boundaries, contract lint and breaking changes are tests of packages/tooling, so
// that each stands beside the planted fault that proves it.

const { COMPILER } = require('./paths.cjs');

/** How `npm run generate` makes the committed files, and where they are. */
const GENERATORS = [
  { name: 'protos', command: ['node', 'generate.cjs'], cwd: 'protos', outputs: ['protos/src/gen'] },
  // The reference is read from the code itself, which has to be compiled for that.
  {
    name: 'compiling for the reference',
    command: ['node', COMPILER, '-b', 'packages/tooling'],
    outputs: [],
  },
  {
    name: 'reference',
    command: ['node', 'packages/tooling/dist/reference/main.js'],
    outputs: ['docs/reference'],
  },
  // So is the document that the client is made from.
  {
    name: 'client of the console',
    command: ['node', 'generate.cjs'],
    cwd: 'services/console',
    outputs: ['services/console/src/api/gen'],
  },
];

/** Suites that start processes wait for them much of the time: three at once keep two cores busy. */
const WORKERS_OF_PROCESSES = 3;

const STEPS = [
  { name: 'install', prepare: 'ensureInstalled' },
  { name: 'generated files', generated: true },
  { name: 'biome', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'compile', prepare: 'compile' },
  { name: 'eslint', command: ['eslint', '.'], beside: true },
  {
    name: 'test types',
    command: ['node', COMPILER, '-p', 'tsconfig.tests.json', '--noEmit'],
  },
  { name: 'console types', command: ['node', COMPILER, '-p', 'services/console', '--noEmit'] },
  { name: 'knip', command: ['knip'] },
  { name: 'console', prepare: 'ensureConsole' },
  { name: 'unit', jest: 'unit' },
  { name: 'e2e', jest: 'e2e', workers: WORKERS_OF_PROCESSES },
  {
    name: 'engines',
    jest: 'engines',
    workers: WORKERS_OF_PROCESSES,
    environment: ['TOLLGATE_TEST_KAFKA', 'TOLLGATE_TEST_REDIS'],
  },
  {
    name: 'distributed',
    jest: 'distributed',
    // Installations that share a Kafka share its consumer groups: one at a time.
    workers: 1,
    environment: ['TOLLGATE_TEST_KAFKA', 'TOLLGATE_TEST_REDIS', 'TOLLGATE_TEST_MONGODB'],
  },
];

module.exports = { GENERATORS, STEPS };
