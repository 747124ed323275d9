// What runs needs no types: SWC writes in two seconds what the compiler writes in thirty. The types are
// checked by `npm test` and `npm run build`, which compile into the same folders.
const fs = require('node:fs');
const path = require('node:path');
const { BUNDLE, PRODUCT, ROOT, inRoot } = require('./paths.cjs');

const isSource = (name) =>
  name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts');

/** Source files below a folder, relative to it. */
function sourcesOf(folder, below = '') {
  return fs.readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(below, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesOf(folder, name);
    return isSource(entry.name) ? [name] : [];
  });
}

/** Sources whose output is missing or older, as pairs of paths. */
function staleFiles(folders) {
  return folders.flatMap((folder) =>
    sourcesOf(inRoot(folder, 'src')).flatMap((name) => {
      const source = inRoot(folder, 'src', name);
      const output = inRoot(folder, 'dist', name.replace(/\.ts$/, '.js'));
      const written = fs.statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return fs.statSync(source).mtimeMs > written ? [{ source, output }] : [];
    }),
  );
}

const OUTPUT = /\.(?:js|d\.ts)(?:\.map)?$/;

/**
 * Removes what was written from sources that are gone. Left there, `dist/a.js` would win over the
 * `dist/a/index.js` of the source that took its place. What the bundler writes among them stays.
 */
function removeLeftovers(folders, bundled = [PRODUCT, BUNDLE]) {
  const isBundled = (output) =>
    bundled.some((name) => output === inRoot(name) || output.startsWith(inRoot(name) + path.sep));
  for (const folder of folders) {
    const written = inRoot(folder, 'dist');
    if (!fs.existsSync(written)) continue;
    for (const name of fs.readdirSync(written, { recursive: true })) {
      const output = path.join(written, name);
      if (!OUTPUT.test(name) || isBundled(output)) continue;
      const source = inRoot(folder, 'src', name.replace(OUTPUT, '.ts'));
      if (!fs.existsSync(source)) fs.rmSync(output);
    }
  }
}

async function transpileFile(swc, { source, output }) {
  const { code, map } = await swc.transformFile(source, {
    cwd: ROOT,
    swcrc: false,
    jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    sourceMaps: true,
    outputPath: output,
    sourceFileName: path.relative(path.dirname(output), source),
  });
  fs.mkdirSync(path.dirname(output), { recursive: true });
  const mapName = `${path.basename(output)}.map`;
  fs.writeFileSync(`${output}.map`, map);
  // Last and in one step: what is there is whole, whenever somebody interrupts this.
  fs.writeFileSync(`${output}.tmp`, `${code}\n//# sourceMappingURL=${mapName}\n`);
  fs.renameSync(`${output}.tmp`, output);
}

/** Transpiles what is stale in the folders; returns the number of files. */
async function transpile(folders) {
  removeLeftovers(folders);
  const stale = staleFiles(folders);
  if (stale.length === 0) return 0;
  const swc = require(require.resolve('@swc/core', { paths: [ROOT] }));
  await Promise.all(stale.map((files) => transpileFile(swc, files)));
  return stale.length;
}

module.exports = { removeLeftovers, transpile };
