import { Worker } from 'node:worker_threads';
import { type LogFields, type Logger, silentLogger } from '@tollgate/core';
import type { ListenAddress } from '../wire/listener';

/** How a store with a thread of its own is made. */
export interface ThreadedStoreOptions extends ThreadedStoreSettings {
  readonly logger?: Logger;
  /** The thread ended without being asked: every command fails from now on. */
  onFatal(error: Error): void;
}

/** A store that runs in a thread of its own. */
export interface ThreadedStore {
  readonly uri: string;
  /** Commits what is pending, ends all connections and the thread. */
  close(): Promise<void>;
}

/** A thread that loads the store's code and has opened nothing yet. */
export interface StoreThread {
  /** Rejects when the file or address is taken. Once for a thread. */
  open(options: ThreadedStoreOptions): Promise<ThreadedStore>;
}

/** The built program: a thread loads files as they are, whatever its owner was loaded from. */
const programPath = () => require.resolve('@tollgate/embedded-mongo/store-thread');

/**
 * A commit waits for the disk and holds its thread meanwhile; in a process that also answers
 * requests the store therefore has a thread of its own.
 */
export function createStoreThread(): StoreThread {
  const worker = new Worker(programPath());
  // Until it is asked to open a store, a process may end without it.
  worker.unref();
  return { open: (options) => openOnThread(worker, options) };
}

function openOnThread(worker: Worker, options: ThreadedStoreOptions): Promise<ThreadedStore> {
  const { dataPath, listen, logger = silentLogger } = options;
  worker.ref();
  worker.postMessage({ kind: 'open', settings: { dataPath, listen } } satisfies ToThread);
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  let closing = false;
  const close = async () => {
    closing = true;
    worker.postMessage({ kind: 'close' } satisfies ToThread);
    await ended;
  };
  return new Promise((resolve, reject) => {
    let started = false;
    const fail = (error: Error) => {
      if (!started) reject(error);
      else if (!closing) options.onFatal(error);
    };
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'log') logger[message.level](message.fields, message.message);
      if (message.kind === 'failed') fail(new Error(message.message));
      if (message.kind !== 'listening') return;
      started = true;
      resolve({ uri: message.uri, close });
    });
    worker.once('error', fail);
    void ended.then(() => fail(new Error('the thread of the embedded store ended')));
  });
}

/** Where the thread's store keeps its data and listens. */
export interface ThreadedStoreSettings {
  readonly dataPath: string;
  readonly listen: ListenAddress;
}

/** Messages of the thread to its owner. Fields of a log line are text by then. */
export type FromThread =
  | { readonly kind: 'listening'; readonly uri: string }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly fields: LogFields;
      readonly message: string;
    };

/** Messages of the owner to the thread. */
export type ToThread =
  | { readonly kind: 'open'; readonly settings: ThreadedStoreSettings }
  | { readonly kind: 'close' };
