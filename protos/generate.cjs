// Regenerates everything under src/gen from the .proto files: `node generate.cjs`.
// `node generate.cjs --accept-breaking` also renews the descriptor that breaking changes are
// checked against; do that only when the contract of a released version is meant to change.
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const protobuf = require('protobufjs');

const bin = (name) => join(__dirname, 'node_modules', '.bin', name);
const run = (name, args) => execFileSync(bin(name), args, { cwd: __dirname, stdio: 'inherit' });

/** Coded at run time; completion has static codecs because its calls are hot. */
const controlPlane = ['billing', 'identity', 'routing', 'stats', 'webhook'];

rmSync(join(__dirname, 'src/gen'), { recursive: true, force: true });
run('buf', ['generate']);
readBytesInPlace(join(__dirname, 'src/gen/codecs/tollgate/completion/v1/completion.ts'));
run('proto-loader-gen-types', [
  '--longs=String',
  '--enums=String',
  '--defaults',
  '--oneofs',
  '--includeComments',
  '--grpcLib=@grpc/grpc-js',
  '--outDir=src/gen/types',
  '-I',
  '.',
  '--',
  ...controlPlane.map((name) => `tollgate/${name}/v1/${name}.proto`),
]);
for (const name of controlPlane) {
  // The loader's own entry types are of no use to us: packages/rpc types what it loads.
  rmSync(join(__dirname, 'src/gen/types', `${name}.ts`));
  const folder = join(__dirname, 'src/gen/types/tollgate', name, 'v1');
  const modules = readdirSync(folder)
    .filter((file) => file !== 'index.ts')
    .sort();
  const lines = modules.map((file) => `export type * from './${file.replace(/\.ts$/, '')}';`);
  writeFileSync(join(folder, 'index.ts'), `${lines.join('\n')}\n`);
}
writeControlPlane(join(__dirname, 'src/gen/control-plane.ts'));
if (process.argv.includes('--accept-breaking')) run('buf', ['build', '-o', 'descriptor.binpb']);

/**
 * The generator copies every bytes member out of its message, which for a long prompt costs more
 * than all of the rest. A view is enough: nobody writes into a received message.
 */
function readBytesInPlace(path) {
  const source = readFileSync(path, 'utf8');
  const copies = 'Buffer.from(reader.bytes())';
  if (!source.includes(copies)) throw new Error(`${path} reads bytes in another way now`);
  const view = [
    'function asBuffer(bytes: Uint8Array): Buffer {',
    '  if (Buffer.isBuffer(bytes)) return bytes;',
    '  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);',
    '}',
  ];
  writeFileSync(
    path,
    `${source.replaceAll(copies, 'asBuffer(reader.bytes())')}\n${view.join('\n')}\n`,
  );
}

/**
 * What the control plane's files declare, in the form that protobufjs loads fastest: as text, because
 * JSON.parse reads it sooner than the engine compiles it as an object.
 */
function writeControlPlane(path) {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(__dirname, target);
  root.loadSync(controlPlane.map((name) => `tollgate/${name}/v1/${name}.proto`));
  const json = JSON.stringify(root.toJSON());
  if (json.includes("'")) throw new Error('the declarations hold a quote');
  writeFileSync(path, `export const CONTROL_PLANE_JSON =\n  '${json}';\n`);
}
