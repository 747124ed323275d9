// Serves the built store from a directory, at a free port, until SIGTERM; prints where it listens.
const { join } = require('node:path');
const { createEmbeddedMongo } = require('../../dist');

const [directory] = process.argv.slice(2);

async function main() {
  const dataPath = join(directory, 'store.sqlite');
  const store = await createEmbeddedMongo({ dataPath, listen: { host: '127.0.0.1', port: 0 } });
  process.once('SIGTERM', () => store.close());
  process.stdout.write(`${JSON.stringify({ listening: store.uri })}\n`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
