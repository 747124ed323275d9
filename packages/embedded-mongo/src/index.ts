export {
  createEmbeddedMongo,
  type EmbeddedMongo,
  type EmbeddedMongoOptions,
} from './embedded-mongo';
export type { StoreLimits } from './limits';
export { IN_MEMORY } from './storage/database';
export type { ListenAddress } from './wire/listener';
export {
  createWorkerStore,
  type WorkerStore,
  type WorkerStoreOptions,
} from './worker/create-worker-store';
