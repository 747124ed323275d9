/**
 * What the model check of the money rules drives: requests, the spool, the leases, the way of the
 * records, and the rules that it replaces one by one. For tests and tooling only.
 */
export * from '../credit/lease';
export * from '../credit/lease-manager';
export * from '../domain/billing';
export * from '../domain/lease-ref';
export * from '../domain/vendor';
export { createAbandonedWork } from '../operations/abandoned-work';
export * from '../operations/active-runs';
export * from '../operations/complete';
export { createPromptRoom } from '../operations/prompt-room';
export * from '../operations/recall';
export * from '../operations/recover';
export * from '../operations/request';
export * from '../operations/retries';
export * from '../operations/run';
export * from '../operations/stream';
export { createTieBreakers } from '../operations/to-route-query';
export * from '../routing/candidate';
export * from '../routing/route-table';
export * from '../spool/disk';
export { encodeFrame, scanFrames } from '../spool/frame';
export { decodeRecord, type SpoolRecord } from '../spool/record';
export { type SpoolRules, spoolRules } from '../spool/recovery';
export * from '../spool/spool';
export * from '../usage/publish';
export * from '../usage/to-usage-record';
export { createUnreadMetrics } from './unread-metrics';
