export { forEachConcurrently } from './for-each-concurrently';
export { createQuarantineTimes, isolate, isolateOne, type QuarantineTimes } from './isolate';
export { createJobs, type Jobs } from './jobs';
export {
  createLeader,
  type JobLeaseRow,
  type JobLeaseStore,
  type Leader,
  type LeaderTerm,
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
