export type { LeaseRow, LeaseStore } from './lease-store';
export { type JobHost, type RepeatedWork, repeat } from './repeat';
export {
  createShardLeases,
  type ShardLeases,
  type ShardLeasesOptions,
  type ShardTerm,
  type ShardWork,
  shardOf,
} from './shard-leases';
