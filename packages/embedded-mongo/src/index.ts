export { createEmbeddedMongo, type EmbeddedMongo } from './embedded-mongo';
export { IN_MEMORY } from './storage/data-file';
export {
  createStoreThread,
  type StoreThread,
  type ThreadedStore,
} from './store-thread/create-store-thread';
