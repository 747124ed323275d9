export { createRetryTimes, isolate, type RetryTimes } from './isolate';
export type { JobLeaseRow, JobLeaseStore } from './job-lease-store';
export {
  createOutboxRelay,
  type Outbox,
  type OutboxItem,
  type OutboxRelay,
  type OutboxRelayOptions,
} from './outbox-relay';
export {
  createWakeup,
  type JobHost,
  NOTHING_FOUND,
  type RepeatedWork,
  repeat,
  repeatAll,
  type Wakeup,
} from './repeat';
export { createJobs, type Jobs } from './run-jobs';
export {
  createLeader,
  createShardLeases,
  type ShardLeases,
  type ShardLeasesOptions,
  type ShardTerm,
  type ShardWork,
  shardOf,
} from './shard-leases';
