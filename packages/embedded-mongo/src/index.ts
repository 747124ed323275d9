export { createEmbeddedMongo, type EmbeddedMongo } from './embedded-mongo';
export { IN_MEMORY } from './storage/database';
export { createWorkerStore, type WorkerStore } from './worker/create-worker-store';
