import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEmbeddedMongo, type EmbeddedMongo } from './embedded-mongo';

const HELP = `A small MongoDB-wire document store for development, tests and single machines.

Usage: node dist/main.js --data DIR [--host HOST] [--port PORT]

  --data DIR    directory of the data file; made when absent
  --host HOST   address to listen on (default 127.0.0.1)
  --port PORT   port to listen on; 0 takes a free one (default 27017)
  --help        prints this

Once it accepts connections it prints one JSON line: {"listening":"mongodb://..."}.
It has no authentication: listen on loopback only. SIGTERM and SIGINT stop it.
`;

const PORT_MAX = 65_535;

interface Arguments {
  readonly help: boolean;
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
}

function parseArguments(parameters: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      help: { type: 'boolean', default: false },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '27017' },
      data: { type: 'string' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > PORT_MAX) {
    throw new Error(`--port must be a whole number from 0 to ${PORT_MAX}`);
  }
  if (values.data === undefined && !values.help) throw new Error('--data DIR is required');
  return { help: values.help, host: values.host, port, dataDirectory: values.data ?? '' };
}

/** Stops once, whichever signal comes first; a failed stop is a non-zero exit. */
function stopOnSignal(store: EmbeddedMongo): void {
  const stop = () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    store.close().catch(fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const parameters = parseArguments(process.argv.slice(2));
  if (parameters.help) {
    process.stdout.write(HELP);
    return;
  }
  const store = await createEmbeddedMongo({
    dataPath: join(parameters.dataDirectory, 'store.sqlite'),
    listen: { host: parameters.host, port: parameters.port },
  });
  stopOnSignal(store);
  process.stdout.write(`${JSON.stringify({ listening: store.uri })}\n`);
}

main().catch(fail);
