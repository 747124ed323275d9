const fs = require('node:fs');
const path = require('node:path');
const { generate } = require('./generate.cjs');
const { withPreparationLock } = require('./lock.cjs');
const { CACHE, inRoot } = require('./paths.cjs');
const prepare = require('./prepare.cjs');
const { collect, expectedError } = require('./run.cjs');
const { STEPS } = require('./steps.cjs');

const PASSED = { passed: 1, failed: 0, skipped: 0 };
const FAILED = { passed: 0, failed: 1, skipped: 0 };
const SKIPPED = { passed: 0, failed: 0, skipped: 1 };

const verdicts = {
  async prepare(step, tools) {
    await withPreparationLock(() => prepare[step.prepare](tools));
    return { counts: PASSED };
  },
  async generated(_step, tools) {
    const { code, output, changed } = await withPreparationLock(() => generate(tools));
    if (code !== 0) return { counts: FAILED, output };
    if (changed.length === 0) return { counts: PASSED };
    const list = changed.map((file) => `  ${file}`).join('\n');
    return { counts: FAILED, output: `not as their generators make them:\n${list}\n` };
  },
  async command(step, { node, env }) {
    const cwd = inRoot(step.cwd ?? '.');
    const [program, ...args] = step.command;
    const PATH = `${path.join(cwd, 'node_modules/.bin')}${path.delimiter}${env.PATH}`;
    const binary = program === 'node' ? node : program;
    const { code, output } = await collect(binary, args, { env: { ...env, PATH }, cwd });
    return code === 0 ? { counts: PASSED } : { counts: FAILED, output };
  },
  async jest(step, { node, env }) {
    fs.mkdirSync(CACHE, { recursive: true });
    const report = path.join(CACHE, `jest-${step.jest}.json`);
    fs.rmSync(report, { force: true });
    const jest = inRoot('node_modules/jest/bin/jest.js');
    const flags = ['--json', `--outputFile=${report}`, '--passWithNoTests', '--silent=false'];
    if (step.workers !== undefined) flags.push(`--maxWorkers=${step.workers}`);
    const args = [jest, `--selectProjects=${step.jest}`, ...flags];
    const { code, output } = await collect(node, args, { env });
    return jestVerdict(report, code, output);
  },
};

/** jest's JSON goes to standard output as well; people want to read the rest. */
function readable(output) {
  return output
    .split('\n')
    .filter((line) => !line.startsWith('{"numFailedTestSuites"'))
    .join('\n');
}

function jestVerdict(report, code, output) {
  if (!fs.existsSync(report)) return { counts: FAILED, output };
  const result = JSON.parse(fs.readFileSync(report, 'utf8'));
  const counts = {
    passed: result.numPassedTests,
    // A file that could not even be loaded has no tests to count.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts.failed === 0 ? { counts } : { counts, output: readable(output) };
}

async function runStep(step, tools) {
  const unset = step.environment?.find((name) => !tools.env[name]);
  if (unset !== undefined) return { counts: SKIPPED, note: `${unset} names no running engine` };
  const kind = Object.keys(verdicts).find((name) => step[name] !== undefined);
  try {
    return await verdicts[kind](step, tools);
  } catch (error) {
    return { counts: FAILED, output: `${error.expected ? error.message : error.stack}\n` };
  }
}

function selectSteps(names) {
  const known = STEPS.map((step) => step.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw expectedError(`no step is called "${unknown}"; the steps are: ${known.join(', ')}`);
  }
  if (names.length === 0) return STEPS;
  // A step says little where packages of a manifest are missing; when none is, this takes no time.
  return STEPS.filter(({ name }) => name === 'install' || names.includes(name));
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Runs the steps (all, or those named); returns the exit code. */
async function runTests(names, tools) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const began = Date.now();
  const beside = [];
  for (const step of selectSteps(names)) {
    const told = runAndTell(step, tools, total);
    if (step.beside) beside.push(told);
    else await told;
  }
  await Promise.all(beside);
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  process.stdout.write(`took ${seconds} s\n${describe(total)}\n`);
  return total.failed > 0 ? 1 : 0;
}

/** Runs one step, prints its line, and adds its counts to the total. */
async function runAndTell(step, tools, total) {
  const began = Date.now();
  const { counts, output, note } = await runStep(step, tools);
  for (const key of Object.keys(total)) total[key] += counts[key];
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const word = counts.failed > 0 ? 'FAIL' : counts.passed > 0 ? 'ok' : 'skip';
  const details = step.jest === undefined || note !== undefined ? note : describe(counts);
  if (output !== undefined) process.stdout.write(`${output.trimEnd()}\n`);
  const columns = [word.padEnd(4), step.name.padEnd(16), `${seconds} s`.padStart(8)];
  process.stdout.write(`${columns.join('  ')}${details === undefined ? '' : `  ${details}`}\n`);
}

module.exports = { runTests };
