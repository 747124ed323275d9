export { forEachConcurrently } from './at-once';
export { createQuarantineTimes, isolate, isolateOne, type QuarantineTimes } from './isolate';
export type { JobLeaseRow, JobLeaseStore } from './job-lease-store';
export { createLeader, type Leader, type LeaderTerm, runElected } from './leader';
export { createOutboxRelay, type Outbox, type OutboxItem, type OutboxRelay } from './outbox-relay';
export { type PageStart, pagesOf } from './pages';
export {
  createWakeup,
  NOTHING_FOUND,
  type RepeatedWork,
  repeat,
  repeatAll,
  type Wakeup,
} from './repeat';
export { createJobs, type Jobs } from './run-jobs';
