import { parentPort } from 'node:worker_threads';
import type { LogFields, Logger } from '@tollgate/core';
import { createEmbeddedMongo } from '../embedded-mongo';
import type { FromThread, ThreadedStoreSettings, ToThread } from './create-store-thread';

const port = parentPort;
if (port === null) throw new Error('this program runs as a worker thread');
const tell = (message: FromThread) => port.postMessage(message);

/** Errors do not survive the way between threads with everything a log wants of them. */
function plain(fields: LogFields): LogFields {
  const entries = Object.entries(fields).map(([name, value]) => {
    const text = value instanceof Error ? (value.stack ?? value.message) : String(value);
    return [name, text] as const;
  });
  return Object.fromEntries(entries);
}

function createForwardingLogger(base: LogFields): Logger {
  const forward =
    (level: 'debug' | 'info' | 'warn' | 'error') => (fields: LogFields, message: string) =>
      tell({ kind: 'log', level, fields: plain({ ...base, ...fields }), message });
  return {
    debug: forward('debug'),
    info: forward('info'),
    warn: forward('warn'),
    error: forward('error'),
    child: (fields) => createForwardingLogger({ ...base, ...fields }),
  };
}

async function serveStore(settings: ThreadedStoreSettings): Promise<void> {
  const store = await createEmbeddedMongo({ ...settings, logger: createForwardingLogger({}) });
  // The only other message asks to close.
  port?.once('message', () => {
    store
      .close()
      .catch((error: unknown) => tell({ kind: 'failed', message: String(error) }))
      .finally(() => port.close());
  });
  tell({ kind: 'listening', uri: store.uri });
}

port.once('message', (message: ToThread) => {
  if (message.kind !== 'open') return port.close();
  serveStore(message.settings).catch((error: unknown) => {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    port.close();
  });
});
