import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Environment, parseConfig } from '@tollgate/config';
import type { ServiceHost } from '@tollgate/lifecycle';
import { findRunningGroups, type MongoStore, openMongo } from '@tollgate/mongo';
import { allInOneConfigSchema, storeConfigSchema } from '../../../config';
import { DATA_FILES, DataDirectoryTakenError } from '../../../start/data-directory';
import { isGiven } from '../../../start/embedded-environment';
import {
  openStoppedStore,
  type ReachedStore,
  reachEmbeddedStore,
} from '../../../start/embedded-store';

/** What the product of this environment runs on. */
export interface ReachedData {
  readonly store: MongoStore;
  readonly kind: 'embedded' | 'mongodb';
  /** Where the data directory has its own secrets, or would have; undefined when all are given. */
  readonly secretsPath: string | undefined;
  close(): Promise<void>;
}

export interface ReachRequest {
  readonly environment: Environment;
  readonly host: ServiceHost;
  /** Copy also while the product runs. */
  readonly whileRunning: boolean;
  /** An empty data directory is made. */
  readonly mayCreate: boolean;
  /** What to do while the product runs, at the end of the sentence that refuses. */
  readonly remedy: string;
  progress(sentence: string): void;
}

/** A longer wait is told, because the command seems to hang. */
const UNTOLD_WAIT_MS_MAX = 10_000;

/** Opens the store of the environment; refuses while the product runs, unless that is wanted. */
export async function reachData(request: ReachRequest): Promise<ReachedData> {
  const { environment, host } = request;
  const path = resolve(parseConfig(allInOneConfigSchema, environment).dataDirectory);
  const secretsPath = givesAllSecrets(environment) ? undefined : join(path, DATA_FILES.secrets);
  const isOutside = isGiven(environment, 'MONGODB_URI');
  const reached = isOutside ? reachOutside(environment) : await reachEmbedded(path, request);
  const { logger } = host;
  const options = { uri: reached.uri, appName: 'tollgate-backup', logger, poolSizeMax: 2 };
  const store = openMongo({ ...options, socketTimeoutMs: 0 });
  const close = async () => {
    await store.close();
    await reached.close();
  };
  try {
    await store.connect();
    if (isOutside && !request.whileRunning) await requireStopped(store, request);
    return { store, kind: isOutside ? 'mongodb' : 'embedded', secretsPath, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function givesAllSecrets(environment: Environment): boolean {
  const names = ['TOLLGATE_SEALING_KEYS', 'TOLLGATE_KEY_PEPPERS'];
  return names.every((name) => isGiven(environment, name));
}

function reachOutside(environment: Environment): ReachedStore {
  const { mongodbUri: uri } = parseConfig(storeConfigSchema, environment);
  return { uri, close: async () => {} };
}

async function reachEmbedded(path: string, request: ReachRequest): Promise<ReachedStore> {
  const { host, whileRunning, mayCreate, remedy } = request;
  if (whileRunning) return reachEmbeddedStore(path, host.logger);
  if (!mayCreate && !existsSync(join(path, DATA_FILES.secrets))) {
    throw new Error(`${path} holds no data yet: set TOLLGATE_DATA_DIR or MONGODB_URI`);
  }
  try {
    return await openStoppedStore(path, host.logger);
  } catch (error) {
    if (!(error instanceof DataDirectoryTakenError)) throw error;
    throw new Error(`the data directory ${path} is in use: ${remedy}`, { cause: error });
  }
}

/**
 * Gateways and completion lead nothing, and are not seen: docs/runbooks/restoring-the-database.md says
 * to stop them first. Nor is stats of 0.1.0.
 */
async function requireStopped(store: MongoStore, request: ReachRequest): Promise<void> {
  const { host, remedy, progress } = request;
  const running = await findRunningGroups(store, host.clock, (waitMs) => {
    if (waitMs <= UNTOLD_WAIT_MS_MAX) return;
    const seconds = Math.ceil(waitMs / 1_000);
    progress(
      `waits ${seconds} s for a sign of life: a service of this store may be silent so long`,
    );
  });
  if (running.length === 0) return;
  throw new Error(`services run on this store (${running.join(', ')}): ${remedy}`);
}
