const fs = require('node:fs');
const { inRoot } = require('./paths.cjs');
const { progress, report } = require('./run.cjs');
const {
  manifestsDigest,
  newestChangeMs,
  readStamps,
  workspaceFolders,
  writeStamp,
} = require('./freshness.cjs');
const { transpile } = require('./transpile.cjs');

const CONSOLE = 'services/console';
const isCompiled = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts');

/** Installs the packages when a manifest or the lockfile changed since the last time. */
async function ensureInstalled({ env }) {
  const digest = manifestsDigest();
  const present = fs.existsSync(inRoot('node_modules/.modules.yaml'));
  if (present && readStamps().install === digest) return;
  await progress('packages', 'pnpm', ['install', '--frozen-lockfile'], { env });
  writeStamp('install', digest);
}

/** Folders with sources that run under Node; the console is built, the e2e suites are read as they are. */
function nodeFolders() {
  return workspaceFolders().filter(
    (folder) =>
      folder !== CONSOLE && folder !== 'test-e2e' && fs.existsSync(inRoot(folder, 'tsconfig.json')),
  );
}

/** Transpiles what is stale, without a look at types; answers how many files, and the seconds. */
async function ensureTranspiled() {
  const beganMs = Date.now();
  const count = await transpile(nodeFolders());
  return { count, tookMs: Date.now() - beganMs };
}

/** Compiles with all checks when a source is newer than the last good compilation. */
async function ensureCompiled({ node, env }) {
  const beganMs = Date.now();
  const { compile } = readStamps();
  const paths = nodeFolders().flatMap((folder) => [`${folder}/src`, `${folder}/tsconfig.json`]);
  const present = fs.existsSync(inRoot('services/all-in-one/dist/.tsbuildinfo'));
  const newest = newestChangeMs(['tsconfig.json', 'tsconfig.base.json', ...paths], isCompiled);
  if (present && compile !== undefined && newest < compile) return;
  await progress('compiling', node, [inRoot('node_modules/typescript/bin/tsc'), '-b'], { env });
  writeStamp('compile', beganMs);
}

function hasConsole() {
  const manifest = JSON.parse(fs.readFileSync(inRoot(CONSOLE, 'package.json'), 'utf8'));
  return manifest.scripts?.build !== undefined;
}

/** Builds the console when a source is newer than the last good build; false without a console. */
async function ensureConsole({ env }) {
  if (!hasConsole()) return false;
  const beganMs = Date.now();
  const { console: built } = readStamps();
  const present = fs.existsSync(inRoot(CONSOLE, 'dist/index.html'));
  if (present && built !== undefined && newestChangeMs([CONSOLE]) < built) return true;
  await progress('console', 'pnpm', ['--dir', CONSOLE, 'run', 'build'], { env });
  writeStamp('console', beganMs);
  return true;
}

/** Everything a start needs; silent when nothing is stale. */
async function prepareToRun(tools) {
  await ensureInstalled(tools);
  // Neither reads what the other writes, and the console is built by a process of its own.
  const [{ count, tookMs }] = await Promise.all([ensureTranspiled(), ensureConsole(tools)]);
  if (count > 0) report(`transpiling ${count} files`, tookMs);
}

/** Everything that can be built, with its types checked. */
async function build(tools) {
  await ensureInstalled(tools);
  await ensureCompiled(tools);
  await ensureConsole(tools);
}

module.exports = { build, ensureConsole, ensureInstalled, prepareToRun };
