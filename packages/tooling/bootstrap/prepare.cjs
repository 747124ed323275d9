const fs = require('node:fs');
const { BUNDLE, COMPILER, PRODUCT, inRoot } = require('./paths.cjs');
const { collect, expectedError, progress, report } = require('./run.cjs');
const {
  manifestsDigest,
  newestChangeMs,
  readStamps,
  workspaceFolders,
  writeStamp,
} = require('./freshness.cjs');
const { removeLeftovers, transpile } = require('./transpile.cjs');

const CONSOLE = 'services/console';
const BUNDLER = 'packages/tooling/bootstrap/bundle.mjs';
const isCompiled = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts');

/** What a start needs: the product's own packages, and what builds the console and the bundle. */
const TO_RUN = [
  '--prod',
  '--filter-prod',
  '@tollgate/all-in-one...',
  '--filter',
  '@tollgate/console',
];

/** Installs the packages when a manifest or the lockfile changed since the last time. */
async function ensureInstalled(tools) {
  await installWhenStale(tools, { stamp: 'install', selection: [] });
}

/** The same without the tools of tests, which are most of all; an installation that has them keeps them. */
async function ensureInstalledToRun(tools) {
  if (readStamps().install !== undefined) await ensureInstalled(tools);
  else await installWhenStale(tools, { stamp: 'installToRun', selection: TO_RUN });
}

async function installWhenStale({ env }, { stamp, selection }) {
  const digest = manifestsDigest();
  const present = fs.existsSync(inRoot('node_modules/.modules.yaml'));
  if (present && readStamps()[stamp] === digest) return;
  await progress('packages', 'pnpm', ['install', '--frozen-lockfile', ...selection], { env });
  writeStamp(stamp, digest);
}

/** Folders with sources that run under Node; the console is built, the e2e suites are read as they are. */
function nodeFolders() {
  return workspaceFolders().filter(
    (folder) =>
      folder !== CONSOLE && folder !== 'test-e2e' && fs.existsSync(inRoot(folder, 'tsconfig.json')),
  );
}

/** Compiles with all checks. */
async function compile({ node, env }) {
  const beganMs = Date.now();
  await progress('compiling', node, [inRoot(COMPILER), '-b'], { env });
  writeStamp('compile', beganMs);
}

/** Compiles when a source is newer than the last good compilation. */
async function ensureCompiled(tools) {
  const { compile: compiledMs } = readStamps();
  const paths = nodeFolders().flatMap((folder) => [`${folder}/src`, `${folder}/tsconfig.json`]);
  removeLeftovers(nodeFolders());
  const present = fs.existsSync(inRoot('services/all-in-one/dist/.tsbuildinfo'));
  const newest = newestChangeMs(['tsconfig.json', 'tsconfig.base.json', ...paths], isCompiled);
  if (present && compiledMs !== undefined && newest < compiledMs) return;
  await compile(tools);
}

/** Builds the console when a source is newer than the last good build. */
async function ensureConsole({ env }) {
  const beganMs = Date.now();
  const { console: built } = readStamps();
  const present = fs.existsSync(inRoot(CONSOLE, 'dist/index.html'));
  if (present && built !== undefined && newestChangeMs([CONSOLE]) < built) return;
  await progress('console', 'pnpm', ['--dir', CONSOLE, 'run', 'build'], { env });
  writeStamp('console', beganMs);
}

/** Bundles the product when a source is newer than the last good bundle; returns how long it took. */
async function ensureBundled({ node, env }) {
  const beganMs = Date.now();
  const { bundle } = readStamps();
  const present = [PRODUCT, BUNDLE].every((name) => fs.existsSync(inRoot(name)));
  const sources = nodeFolders().flatMap((folder) => [`${folder}/src`, `${folder}/package.json`]);
  const newest = newestChangeMs(['pnpm-lock.yaml', BUNDLER, ...sources], isCompiled);
  if (present && bundle !== undefined && newest < bundle) return undefined;
  const { code, output } = await collect(node, [inRoot(BUNDLER)], { env });
  if (code !== 0) throw expectedError(`bundling: exit code ${code}\n${output}`);
  writeStamp('bundle', beganMs);
  return Date.now() - beganMs;
}

/** Everything a start needs; silent when nothing is stale. */
async function prepareToStart(tools) {
  await ensureInstalledToRun(tools);
  await buildProduct(tools);
}

/** Neither reads what the other writes, and each is a process of its own. */
async function buildProduct(tools) {
  const [tookMs] = await Promise.all([ensureBundled(tools), ensureConsole(tools)]);
  if (tookMs !== undefined) report('bundling', tookMs);
}

/** Writes what runs of every package, where a source is newer; returns the number of files. */
const ensureTranspiled = () => transpile(nodeFolders());

/** Everything that measurements and checks need: the product, and every package on its own. */
async function prepareToMeasure(tools) {
  await ensureInstalled(tools);
  const beganMs = Date.now();
  const count = await ensureTranspiled();
  if (count > 0) report(`transpiling ${count} files`, Date.now() - beganMs);
  await buildProduct(tools);
}

/** Everything that can be built, with its types checked. */
async function build(tools) {
  await ensureInstalled(tools);
  await ensureCompiled(tools);
  await buildProduct(tools);
}

module.exports = {
  build,
  compile,
  ensureBundled,
  ensureConsole,
  ensureInstalled,
  ensureTranspiled,
  prepareToMeasure,
  prepareToStart,
};
