export { retryChange, retryContended } from './contention';
export { type Documents, documentsOf } from './documents';
export {
  databaseFailure,
  hasOnlyDuplicates,
  insertNewOnes,
  isDuplicateKey,
  isRefusedByDocuments,
  isTimeExpired,
  withDatabaseFailures,
} from './failures';
export {
  type IdempotencyClaim,
  type IdempotencyOptions,
  type IdempotencyStore,
  type IdempotentResult,
  type IdempotentWork,
  type KeptClaim,
  NO_KEY,
  runIdempotently,
} from './idempotency';
export {
  type AnswerCodec,
  createIdempotencyStore,
  forgetAnswers,
} from './idempotency-store';
export { createJobLeaseStore, findRunningGroups } from './job-lease-store';
export {
  type Migration,
  runMigrations,
} from './migrations';
export { afterId, beforeId, beginningWith, listByTime } from './pages';
export {
  createRawCollections,
  type IndexSpecification,
  type RawCollections,
  type RawDocument,
} from './raw-collections';
export {
  AMOUNT,
  AS_IS,
  COUNT,
  type Codec,
  codecOf,
  dated,
  eachOf,
  ID,
  named,
  type RecordForm,
  type Records,
  recordsOf,
} from './records';
export { countSealed, createReseal, type SealedMember } from './reseal';
export { RESTORE_MARK_ID, RESTORE_MARKS, requireNoOpenRestore } from './restore-mark';
export {
  createRevisionLog,
  type RevisionDelta,
  type RevisionLog,
  raiseRevisions,
} from './revision-log';
export { type MongoStore, openMongo } from './store';
