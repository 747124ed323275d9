// What runs is one bundle: a start from two thousand files spends half of its time on finding and
// reading them. Made from the sources, by the bundler that the console's build brings along.
// Its code is not minified, and its maps lie beside it: `NODE_OPTIONS=--enable-source-maps` names sources in
// stack traces. By default it does not, because some libraries read the stack of every error they make.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { NODE_MAJOR_MIN } = require('./toolchain.cjs');
const { BUNDLE, PRODUCT, ROOT } = require('./paths.cjs');

const OUT = path.join(ROOT, BUNDLE);

/** The programs: the product, and what runs on threads of its own, by the name it is resolved by. */
const PROGRAM = 'services/all-in-one/src/program.ts';
const THREADS = {
  '@tollgate/embedded-mongo/store-thread': 'packages/embedded-mongo/src/store-thread/main.ts',
  '@tollgate/completion/tokenizer-thread': 'services/completion/src/usage/tokenizer-thread.ts',
  '@tollgate/completion/vectors-thread': 'services/completion/src/vendors/vectors-thread.ts',
};

/** Native code, data that is read as files, and large trees that few starts load. */
const LEFT_OUTSIDE = [
  '@node-rs/argon2',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-node',
  'gpt-tokenizer',
  'swagger-ui-dist',
];

const threadFile = (name) => `${name.split('/').at(-1)}.js`;
const isPackage = (id) => !id.startsWith('.') && !path.isAbsolute(id);
const isLeftOutside = (id) => LEFT_OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`));

/** Where the compiled twin of a source lies, by which `__dirname` is meant. */
function compiledFolder(file) {
  const folder = path.relative(ROOT, path.dirname(file));
  const inDist = folder.replace(/^(protos|(?:packages|services)\/[^/]+)\/src(?=\/|$)/, '$1/dist');
  return path.relative(OUT, path.join(ROOT, inDist));
}

/** Packages outside the bundle, by their place: the bundle's own folder has no dependencies. */
const outside = {
  name: 'outside',
  async resolveId(id, importer, options) {
    if (importer === undefined || !isPackage(id) || id.startsWith('node:')) return undefined;
    if (isLeftOutside(id)) {
      const file = createRequire(importer).resolve(id);
      return { id: `./${path.relative(OUT, file)}`, external: true };
    }
    // Optional peers of a package: it looks for them at run time, and does without.
    const found = await this.resolve(id, importer, { ...options, skipSelf: true });
    return found ?? { id, external: true };
  },
};

/** Paths that a module takes from its own place, as they are from the bundle's. */
const places = {
  name: 'places',
  transform: {
    filter: { code: /\b__dirname\b|require\.resolve\(/ },
    handler(code, file) {
      const folder = `require('node:path').join(__dirname, ${JSON.stringify(compiledFolder(file))})`;
      return {
        code: code
          .replaceAll(/\b__dirname\b/g, folder)
          .replaceAll(/\brequire\.resolve\((?:'([^']+)'\))?/g, (_, name) => {
            if (name in THREADS) return `require.resolve('./${threadFile(name)}')`;
            const here = `require('node:module').createRequire(${folder} + '/')`;
            return name === undefined ? `${here}.resolve(` : `${here}.resolve('${name}')`;
          }),
        map: null,
      };
    },
  },
};

/**
 * V8 keeps a source in two bytes a character when a single one is beyond Latin-1, which doubles the
 * largest chunk. `charset` escapes strings; what is left stands in comments.
 */
const ascii = {
  name: 'ascii',
  renderChunk(code) {
    const escaped = code.replaceAll(/[^\0-\x7f]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    return escaped === code ? null : { code: escaped, map: null };
  },
};

const OURS = /^(?:(?:packages|services)\/([^/]+)|(protos))\//;

/** A chunk for each member of the workspace, by its name, and one for everything else. */
function chunkOf(file) {
  const [, member, protos] = OURS.exec(path.relative(ROOT, file)) ?? [];
  return member ?? protos ?? 'vendor';
}

/**
 * What comes before anything else is loaded: compiled code is kept between starts. The cache of a chunk
 * holds what the first process to end had used. A command uses little, so commands have a cache of
 * their own, and so has each TARGET.
 */
const FIRST_LINE =
  "require('node:module').enableCompileCache?.(require('node:path').join(__dirname, " +
  `${JSON.stringify(path.relative(OUT, path.join(ROOT, '.cache/compiled')))}, ` +
  "process.argv.length > 2 ? 'command' : (process.env.TARGET || 'all').replace(/\\W+/g, '-')));";

/** What runs first, on any Node: an older one would say which module it does not have. */
const NODE_CHECK = [
  `if (Number(process.versions.node.split('.')[0]) < ${NODE_MAJOR_MIN}) {`,
  `  const needed = 'tollgate: Node ${NODE_MAJOR_MIN} or newer is needed, this is ';`,
  '  process.stderr.write(needed + process.versions.node + ".\\n");',
  '  process.exit(1);',
  '}',
];

/** The bundler is the one of Vite, so that there is one of them. */
async function loadBundler() {
  const fromConsole = createRequire(path.join(ROOT, 'services/console/package.json'));
  const fromVite = createRequire(fs.realpathSync(fromConsole.resolve('vite/package.json')));
  const manifest = fromVite.resolve('rolldown/package.json');
  const { exports } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return import(pathToFileURL(path.join(path.dirname(manifest), exports['.'])).href);
}

/** Writes one program; a thread is one file, the product a chunk for each member. */
async function writeProgram(rolldown, dir, { name, file, codeSplitting }) {
  const bundled = await rolldown({
    cwd: ROOT,
    input: { [name]: path.join(ROOT, file) },
    platform: 'node',
    preserveEntrySignatures: false,
    resolve: { conditionNames: ['tollgate-source', 'node', 'require', 'default'] },
    plugins: [outside, places, ascii],
    checks: { pluginTimings: false },
    onLog(level, log) {
      if (level === 'warn') process.stderr.write(`${log.message}\n`);
    },
  });
  await bundled.write({
    dir,
    format: 'cjs',
    // Node reads the map of a chunk with the chunk: only those of our own code name theirs.
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    footer: ({ fileName }) =>
      fileName === 'vendor.js' ? '' : `//# sourceMappingURL=${fileName}.map`,
    keepNames: true,
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    banner: ({ isEntry }) => (isEntry ? FIRST_LINE : ''),
    codeSplitting,
  });
  await bundled.close();
}

async function bundle() {
  const { rolldown } = await loadBundler();
  const groups = [{ name: chunkOf, debugName: 'members' }];
  const programs = Object.entries(THREADS).map(([name, file]) => ({
    ...{ name: path.parse(threadFile(name)).name, file, codeSplitting: false },
  }));
  programs.push({
    ...{ name: 'product', file: PROGRAM },
    codeSplitting: { groups, includeDependenciesRecursively: false },
  });
  const temporary = `${OUT}.${process.pid}`;
  await Promise.all(programs.map((program) => writeProgram(rolldown, temporary, program)));
  fs.rmSync(path.join(temporary, 'vendor.js.map'), { force: true });
  fs.rmSync(OUT, { recursive: true, force: true });
  fs.renameSync(temporary, OUT);
  const main = path.join(ROOT, PRODUCT);
  fs.writeFileSync(main, [...NODE_CHECK, "require('./bundle/product.js');", ''].join('\n'));
}

await bundle();
