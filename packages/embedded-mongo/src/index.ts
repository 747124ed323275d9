export {
  createEmbeddedMongo,
  type EmbeddedMongo,
  type EmbeddedMongoOptions,
} from './embedded-mongo';
export { DEFAULT_LIMITS, type StoreLimits } from './limits';
export { IN_MEMORY } from './storage/database';
export type { ListenAddress } from './wire/listener';
