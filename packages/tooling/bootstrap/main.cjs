const { generate } = require('./generate.cjs');
const { withPreparationLock } = require('./lock.cjs');
const { COMPILER, inRoot, PRODUCT } = require('./paths.cjs');
const { build, ensureInstalled, prepareToMeasure, prepareToStart } = require('./prepare.cjs');
const { collect, replaceProcess } = require('./run.cjs');
const { runTests } = require('./test-run.cjs');
const { ensureToolchain } = require('./toolchain.cjs');

const USAGE = `usage: node packages/tooling/bootstrap.cjs COMMAND [ARGUMENT...]

  start            brings up the service; arguments are its own (try: start --help)
  test             runs every check and test; arguments name single steps
  build            installs and compiles what is stale, types checked
  compile          compiles what is stale of the packages named, for tests that start them
  generate         makes the generated files again
  bench            measures what a request costs, beside other programs
  faults           kills and freezes services and engines under load, and compares the money
  e2e:distributed  runs the end-to-end suites with separate services, on real engines
  model-check      looks for a schedule after which money is wrong; --seed N replays one
`;

/** Prepares, and hands over to a program. */
async function runEntry(prepare, entry, args) {
  const tools = await withPreparationLock(async () => {
    const ready = await ensureToolchain();
    await prepare(ready);
    return ready;
  });
  return replaceProcess(tools.node, [inRoot(entry), ...args], tools.env);
}

/** A program of test-e2e, which is not compiled. */
function runTypescript(program) {
  const launcher = 'test-e2e/support/run-typescript.cjs';
  return (args) => runEntry(prepareToMeasure, launcher, [inRoot(program), ...args]);
}

async function runGenerate() {
  return withPreparationLock(async () => {
    const tools = await ensureToolchain();
    await ensureInstalled(tools);
    const { code, output, changed } = await generate(tools);
    process.stdout.write(output);
    for (const file of changed) process.stdout.write(`changed: ${file}\n`);
    return code;
  });
}

async function runCompiler(folders) {
  const { code, output } = await withPreparationLock(() =>
    collect(process.execPath, [inRoot(COMPILER), '-b', ...folders]),
  );
  process.stdout.write(output);
  return code;
}

const commands = {
  start: (args) => runEntry(prepareToStart, PRODUCT, args),
  bench: runTypescript('test-e2e/bench/cli.ts'),
  faults: runTypescript('test-e2e/faults/cli.ts'),
  'e2e:distributed': runTypescript('test-e2e/topologies/distributed-cli.ts'),
  'model-check': (args) => runEntry(prepareToMeasure, 'packages/money-model/dist/main.js', args),
  async build() {
    await withPreparationLock(async () => build(await ensureToolchain()));
    return 0;
  },
  compile: runCompiler,
  generate: runGenerate,
  async test(args) {
    return runTests(args, await withPreparationLock(ensureToolchain));
  },
};

/** The exit code of the command. */
async function main([name, ...args]) {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(name === undefined ? USAGE : `unknown command ${name}\n\n${USAGE}`);
    return 2;
  }
  return command(args);
}

module.exports = { main };
