import type { Logger } from '@tollgate/core';
import mongoose, { type Connection } from 'mongoose';
import { databaseFailure } from './failures';

/** How to reach the store. */
export interface MongoOptions {
  /** With the database in its path. */
  readonly uri: string;
  /** Shown in the server's logs and currentOp. */
  readonly appName: string;
  readonly logger: Logger;
  /** Connections kept at most; 20 unless given. */
  readonly poolSizeMax?: number;
  /** How long a command waits for a reachable server, milliseconds; 2000 unless given. */
  readonly selectionTimeoutMs?: number;
  /**
   * How long a command may take, milliseconds; 10,000 unless given. 0 is for ever, and then so is the
   * wait for a connection, which is 5 s otherwise.
   */
  readonly socketTimeoutMs?: number;
}

/** One Mongoose connection, opened by `connect` and closed by its owner. */
export interface MongoStore {
  readonly connection: Connection;
  /** Rejects with SERVICE_UNAVAILABLE when no server answers in time. */
  connect(): Promise<void>;
  isHealthy(): boolean;
  close(): Promise<void>;
  /** Another one of the same deployment, whose commands may take any time. */
  withoutTimeout(): MongoStore;
}

const POOL_SIZE_MAX = 20;
const SELECTION_TIMEOUT_MS = 2000;
const SOCKET_TIMEOUT_MS = 10_000;

/**
 * The driver's own are for ever and 30 s. What a frozen primary holds keeps its connections until
 * they time out: whoever waits for one of them must fail meanwhile and ask the next primary.
 */
const WAIT_FOR_CONNECTION = { waitQueueTimeoutMS: 5000, connectTimeoutMS: 5000 } as const;

/** Those of the driver's options that the URI does not set by itself. */
function connectionTimeouts(uri: string, isBounded: boolean): mongoose.ConnectOptions {
  const said = uri.slice(uri.indexOf('?')).toLowerCase();
  const { waitQueueTimeoutMS, connectTimeoutMS } = WAIT_FOR_CONNECTION;
  const isUnsaid = (name: string) => !said.includes(`${name.toLowerCase()}=`);
  return {
    ...(isBounded && isUnsaid('waitQueueTimeoutMS') && { waitQueueTimeoutMS }),
    ...(isUnsaid('connectTimeoutMS') && { connectTimeoutMS }),
  };
}

// Mongoose sanitises the filters of its models alone, and there are none: what comes from outside is
// checked where it comes in, and values of it reach filters by typed code only.
// A command without a connection fails at once: a caller that waits in a buffer has no answer.
mongoose.set('bufferCommands', false);

/**
 * Prepares a connection with the product's guarantees: majority writes that are journaled, majority
 * reads from the primary, Int64 as bigint, no buffering of commands while the store is away, and no
 * silent retry of writes (guards make our own retries exact).
 */
export function openMongo(options: MongoOptions): MongoStore {
  const selectionTimeoutMs = options.selectionTimeoutMs ?? SELECTION_TIMEOUT_MS;
  const socketTimeoutMs = options.socketTimeoutMs ?? SOCKET_TIMEOUT_MS;
  const connection = mongoose.createConnection();
  connection.on('error', (error) => {
    options.logger.warn({ error }, 'document store connection failed');
  });
  return {
    connection,
    async connect() {
      try {
        await connection.openUri(options.uri, {
          appName: options.appName,
          bufferCommands: false,
          maxPoolSize: options.poolSizeMax ?? POOL_SIZE_MAX,
          serverSelectionTimeoutMS: selectionTimeoutMs,
          socketTimeoutMS: socketTimeoutMs,
          ...connectionTimeouts(options.uri, socketTimeoutMs > 0),
          retryWrites: false,
          retryReads: true,
          readPreference: 'primary',
          readConcern: { level: 'majority' },
          writeConcern: { w: 'majority', journal: true },
          useBigInt64: true,
        });
      } catch (error) {
        throw databaseFailure(error);
      }
    },
    isHealthy: () => connection.readyState === mongoose.ConnectionStates.connected,
    close: () => connection.close(),
    withoutTimeout: () => openMongo({ ...options, socketTimeoutMs: 0, poolSizeMax: 2 }),
  };
}
