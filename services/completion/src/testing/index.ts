/**
 * What a model check of the money rules drives: the spool over a played disk, the leases, the way
 * of the records and the rules that can be replaced one by one. For tests and tooling only.
 */
export * from '../domain/completion-request';
export * from '../domain/draw';
export * from '../domain/lease';
export * from '../domain/ports';
export * from '../domain/route-table';
export * from '../domain/usage-record';
export * from '../domain/vendor';
export * from '../leases/lease-manager';
export * from '../leases/lease-parts';
export * from '../leases/lease-pool';
export { type CompletionMetrics, createCompletionMetrics } from '../metrics';
export * from '../operations/active-runs';
export * from '../operations/complete';
export * from '../operations/dependencies';
export * from '../operations/drain-spool';
export * from '../operations/publish-usage';
export * from '../operations/recall-lease';
export * from '../operations/recover-spool';
export * from '../operations/stream-completion';
export * from '../spool/disk';
export { encodeFrame, scanFrames } from '../spool/frame';
export { createNodeDisk } from '../spool/node-disk';
export { decodeRecord, type SpoolRecord } from '../spool/records';
export { planRecovery } from '../spool/recovery';
export * from '../spool/spool';
export * from '../spool/spool-parts';
export * from './fake-billing';
export * from './memory-disk';
export * from './played-stream';
export * from './records';
