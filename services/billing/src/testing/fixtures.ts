import { type CloseRecord, type Nano, nano, toIsoTime, type UsageRecord } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { type Account, emptyAccount } from '../domain/account';
import { type AccountBounds, DEFAULT_ACCOUNT_BOUNDS } from '../domain/account-bounds';
import { type AcquireLease, acquireLease } from '../domain/acquire-lease';
import { addCredits } from '../domain/credits';
import { sweepLeases } from '../domain/lease-lifecycle';
import { type BillingMetrics, createBillingMetrics } from '../metrics';

/** A Tuesday noon, UTC. */
export const NOON = Date.UTC(2026, 2, 10, 12);

export const ACCOUNT_ID = 'acc_01J00000000000000000000001';
export const HOLDER = 'spl_01J00000000000000000000001';
const HOLDER_ADDRESS = '127.0.0.1:7101';

/** Nano-units from a number that is easy to read in a test. */
export function n(value: number | bigint): Nano {
  return nano(BigInt(value));
}

/** An acquire command; members that a test does not speak of have plain values. */
export function acquireCommand(changes: Partial<AcquireLease> = {}): AcquireLease {
  return {
    holder: HOLDER,
    holderAddress: HOLDER_ADDRESS,
    nonce: 'nonce-1',
    amount: n(100),
    minimum: n(100),
    budget: undefined,
    ...changes,
  };
}

/**
 * A usage record that costs its completion tokens: one nano-unit each, with the reservation to pay
 * for them unless the test says otherwise.
 */
export function usageRecord(changes: Partial<UsageRecord> = {}): UsageRecord {
  const completionTokens = changes.completionTokens ?? 10;
  const lease = changes.lease ?? 1;
  const number = changes.number ?? 1;
  return {
    kind: 'usage',
    accountId: ACCOUNT_ID,
    lease,
    number,
    holder: HOLDER,
    epoch: 1,
    endedAt: toIsoTime(NOON),
    requestId: `req_${changes.accountId ?? ''}${lease}_${number}`,
    clientRequestId: undefined,
    keyId: 'key_01J00000000000000000000001',
    userId: 'usr_01J00000000000000000000001',
    model: 'sim-small',
    requestedModel: 'auto',
    channelId: 'chn_01J00000000000000000000001',
    ownChannel: false,
    priceVersion: 1,
    prices: { prompt: n(0), completion: n(1_000_000), cachedPrompt: n(0) },
    promptTokens: 5,
    completionTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    promptAudioTokens: 0,
    completionAudioTokens: 0,
    reserved: n(completionTokens),
    amount: n(completionTokens),
    source: 'exact',
    reason: 'stop',
    status: 'succeeded',
    errorCode: undefined,
    failedAttempts: undefined,
    limitsLeft: undefined,
    ignoredMembers: undefined,
    stream: false,
    attempts: 1,
    latencyMs: 12,
    firstTokenMs: undefined,
    startedAt: toIsoTime(NOON - 12),
    vendorAbsorbed: n(0),
    budget: undefined,
    ...changes,
  };
}

/** The CLOSE of a lease. */
export function closeRecord(changes: Partial<CloseRecord> = {}): CloseRecord {
  return {
    kind: 'close',
    accountId: ACCOUNT_ID,
    lease: 1,
    number: 1,
    holder: HOLDER,
    epoch: 1,
    endedAt: toIsoTime(NOON),
    ...changes,
  };
}

/** The expiry of each lease, as a sweeper has seen it stand still for a lifetime. */
export function expiriesOf(account: Account): ReadonlyMap<number, number> {
  return new Map([...account.leases].map(([number, { expiresAtMs }]) => [number, expiresAtMs]));
}

/** The account after all of its leases were swept. */
export function sweptNow(account: Account): Account {
  return sweepLeases(account, expiriesOf(account), NOON).account;
}

/** An account with credit and an empty journal. */
export function accountWith(credit: number, id = ACCOUNT_ID): Account {
  const command = { creditId: `${id}:first`, amount: n(credit), note: '' };
  const context = { inLedger: undefined, now: NOON, bounds: DEFAULT_ACCOUNT_BOUNDS };
  return { ...addCredits(emptyAccount(id), command, context).account, journal: [] };
}

/** The account after a lease was granted; throws when it was not. */
export function withLease(
  account: Account,
  changes: Partial<AcquireLease> = {},
  bounds: AccountBounds = DEFAULT_ACCOUNT_BOUNDS,
): Account {
  const nonce = changes.nonce ?? `nonce-${account.leaseNo + 1}`;
  const command = acquireCommand({ ...changes, nonce });
  const change = acquireLease(account, command, NOON, bounds);
  if (change.outcome.kind !== 'granted') throw new Error(`not granted: ${change.outcome.kind}`);
  return change.account;
}

/** Metrics that nobody reads. */
export function createUnreadMetrics(): BillingMetrics {
  return createBillingMetrics(createMetrics());
}
