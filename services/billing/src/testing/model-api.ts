/**
 * What the money model check drives: the rules, the operations over ports, stores in memory and the
 * contract that every store keeps. For tests and the model alone: whoever runs billing, such as
 * `all-in-one`, imports the package itself.
 */
export { repeatAll } from '@tollgate/jobs';
export * from '../domain/account';
export * from '../domain/account-bounds';
export * from '../domain/account-rules';
export * from '../domain/acquire-lease';
export * from '../domain/audit-checks';
export * from '../domain/budgets';
export * from '../domain/claims';
export * from '../domain/journal';
export * from '../domain/lease-lifecycle';
export * from '../domain/ledger-entry';
export * from '../domain/ports';
export * from '../domain/settle-records';
export type { Statement } from '../domain/statements';
export * from '../domain/usage-record';
export * from '../jobs/jobs';
export * from '../operations/operations';
export * from '../operations/parts';
export * from '../operations/settings';
export * from '../operations/settlement';
export * from '../operations/settlement-reports';
export { createStatementOperations } from '../operations/statements';
export * from '../operations/watermarks';
export { createAccountStore } from '../storage/account-store';
export { createClaimStore } from '../storage/claim-store';
export { createLedgerStore } from '../storage/ledger-store';
export { billingMigrations } from '../storage/migrations';
export { createOutboxStore } from '../storage/outbox-store';
export { createUnreadMetrics } from './fixtures';
export * from './in-memory-stores';
export * from './store-contract';
