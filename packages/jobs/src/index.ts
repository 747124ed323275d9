export { forEachConcurrently } from './for-each-concurrently';
export { isolate, isolateOne } from './isolate';
export { createJobs, type Jobs } from './jobs';
export {
  createLeader,
  type JobLeaseRow,
  type JobLeaseStore,
  LEADER_TTL_MS_MAX,
  type Leader,
  type LeaderTerm,
  LOOKS_PER_TTL,
  runElected,
} from './leader';
export { createOutboxRelay, type Outbox, type OutboxRelay, type RelayedItem } from './outbox-relay';
export { forEachFound, type PageStart, pagesOf } from './pages';
export {
  createWakeup,
  NOTHING_FOUND,
  type RepeatedWork,
  repeat,
  repeatAll,
  type Wakeup,
} from './repeat';
export { createRetryTimes } from './retry-times';
