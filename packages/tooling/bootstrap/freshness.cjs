const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { ROOT, TOOLCHAIN } = require('./paths.cjs');

const STAMPS = path.join(TOOLCHAIN, 'stamps.json');
const SKIPPED = new Set(['node_modules', 'dist', '__fixtures__']);

function readStamps() {
  try {
    return JSON.parse(fs.readFileSync(STAMPS, 'utf8'));
  } catch {
    return {};
  }
}

/** Remembers that a step was done for this state; written whole, so that a crash leaves no half. */
function writeStamp(name, value) {
  fs.mkdirSync(TOOLCHAIN, { recursive: true });
  const temporary = `${STAMPS}.${process.pid}`;
  fs.writeFileSync(temporary, JSON.stringify({ ...readStamps(), [name]: value }));
  fs.renameSync(temporary, STAMPS);
}

function listDirectory(folder) {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Folders of the workspace's members, relative to the root. */
function workspaceFolders() {
  const nested = ['packages', 'services'].flatMap((group) =>
    listDirectory(path.join(ROOT, group))
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${group}/${entry.name}`),
  );
  return ['protos', ...nested, 'test-e2e'].filter((folder) =>
    fs.existsSync(path.join(ROOT, folder, 'package.json')),
  );
}

/** What the installed packages depend on: the lockfile and every manifest. */
function manifestsDigest() {
  const hash = createHash('sha256');
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
  for (const folder of workspaceFolders()) files.push(`${folder}/package.json`);
  for (const file of files) {
    hash.update(`${file}\n`).update(fs.readFileSync(path.join(ROOT, file)));
  }
  return hash.digest('hex');
}

/**
 * The newest change below the paths, folders included, so that a removed file counts too: all but
 * those that builds write to, which change with every build.
 */
function newestChangeMs(paths, isSource = () => true) {
  let newest = 0;
  const visit = (target) => {
    const stat = fs.statSync(target, { throwIfNoEntry: false });
    if (stat === undefined) return;
    const entries = stat.isDirectory() ? listDirectory(target) : [];
    const isWrittenTo = entries.some((entry) => SKIPPED.has(entry.name));
    if (stat.mtimeMs > newest && !isWrittenTo) newest = stat.mtimeMs;
    for (const entry of entries) {
      if (SKIPPED.has(entry.name)) continue;
      if (entry.isDirectory() || isSource(entry.name)) visit(path.join(target, entry.name));
    }
  };
  for (const target of paths) visit(path.join(ROOT, target));
  return newest;
}

module.exports = { manifestsDigest, newestChangeMs, readStamps, workspaceFolders, writeStamp };
