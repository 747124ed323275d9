import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from '@tollgate/core';
import type { StoreThread } from '@tollgate/embedded-mongo';
import { createCleanupStack } from '@tollgate/lifecycle';
import { DATA_FILES, DataDirectoryTakenError, openDataDirectory } from './data-directory';
import { createSocketDirectory, readSocketDirectory } from './socket-directory';

/** The name of the embedded store's socket inside the directory of sockets. */
export const STORE_SOCKET = 'store';

/** The MONGODB_URI of an embedded store that listens on a unix socket. */
export function embeddedStoreUri(socketPath: string): string {
  return `mongodb://${encodeURIComponent(socketPath)}/tollgate?directConnection=true`;
}

/** Where the store keeps its data and listens. */
export interface EmbeddedStorePlace {
  readonly dataPath: string;
  readonly socketPath: string;
  /** A thread that was started for it before. */
  readonly thread?: StoreThread | undefined;
}

/** Starts the store's thread; what it needs here is loaded only where a store is used. */
export function loadStoreThread(): StoreThread {
  const { createStoreThread } =
    require('@tollgate/embedded-mongo') as typeof import('@tollgate/embedded-mongo');
  return createStoreThread();
}

/** Opens the store on its thread, which is started now where none is given. */
export async function openEmbeddedStore({
  dataPath,
  socketPath,
  thread = loadStoreThread(),
  logger,
}: EmbeddedStorePlace & { readonly logger: Logger }): Promise<{ close(): Promise<void> }> {
  return await thread.open({
    dataPath,
    listen: { socketPath },
    logger,
    onFatal(error) {
      // Nothing here can go on without its store: the supervisor starts a new process.
      setImmediate(() => {
        throw error;
      });
    },
  });
}

/** The embedded store of a data directory, reached by a command. */
export interface ReachedStore {
  readonly uri: string;
  close(): Promise<void>;
}

/**
 * Reaches the store whether the product runs, and then through it, or is stopped, and then by
 * opening the data directory for as long as the command takes. Throws when there is no data yet.
 */
export async function reachEmbeddedStore(directory: string, logger: Logger): Promise<ReachedStore> {
  const path = resolve(directory);
  // A command must not make an empty store in a mistyped directory.
  if (!existsSync(join(path, DATA_FILES.secrets))) {
    throw new Error(
      `${path} holds no data yet: start the product once, or set TOLLGATE_DATA_DIR or MONGODB_URI`,
    );
  }
  const running = readSocketDirectory(join(path, DATA_FILES.sockets));
  try {
    return await openStoppedStore(path, logger);
  } catch (error) {
    if (!(error instanceof DataDirectoryTakenError) || running === undefined) throw error;
    const uri = embeddedStoreUri(running.socket(STORE_SOCKET));
    return { uri, close: async () => {} };
  }
}

/** Opens the store of a data directory, which is made when it is not there, and holds it alone. */
export async function openStoppedStore(path: string, logger: Logger): Promise<ReachedStore> {
  const cleanup = createCleanupStack();
  try {
    const data = openDataDirectory(path);
    cleanup.defer('data directory', () => data.release());
    const sockets = createSocketDirectory(data.file(DATA_FILES.sockets));
    cleanup.defer('sockets', () => sockets.remove());
    const socketPath = sockets.socket(STORE_SOCKET);
    const store = await openEmbeddedStore({
      dataPath: data.file(DATA_FILES.store),
      socketPath,
      logger,
    });
    cleanup.defer('store', () => store.close());
    return { uri: embeddedStoreUri(socketPath), close: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
