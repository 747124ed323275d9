import { ZERO_NANO } from '@tollgate/core';
import { chargeOf, FREE_PRICES } from '../domain/draw';
import type { SettlementsByLease } from '../domain/ports';
import { usualTokensOf } from '../domain/prompt-size';
import {
  type LeaseRef,
  leaseKeyOf,
  type NumberedRecord,
  type Progress,
  type RequestFacts,
  type RequestOutcome,
  type Settlement,
} from '../domain/usage-record';
import type { LeaseState, SpoolState } from './state';

/** Who writes the missing records. */
export interface RecoveryWriter {
  readonly holder: string;
  readonly epoch: number;
  readonly nowMs: number;
}

/**
 * The records that end what an older epoch left open, in the order in which they are appended: an
 * END for each BEGIN without one, then a CLOSE for each lease that has none. A damaged spool cannot
 * say what was delivered, so its open requests end at zero, and every number that billing waits for
 * is given, so that no lease is stuck behind a record that was lost.
 */
export function planRecovery(
  state: SpoolState,
  writer: RecoveryWriter,
  damage: SettlementsByLease | undefined,
): readonly NumberedRecord[] {
  const leases = [...state.leases.values()].filter((lease) => lease.epoch < writer.epoch);
  const numbers = new Map(
    leases.map((lease) => [
      leaseKeyOf(lease),
      createNumbers(lease, damage?.get(leaseKeyOf(lease))),
    ]),
  );
  const place = (ref: LeaseRef, number: number) => ({
    accountId: ref.accountId,
    lease: ref.lease,
    number,
    holder: writer.holder,
    epoch: writer.epoch,
  });
  const records: NumberedRecord[] = [];
  for (const request of state.requests.values()) {
    const given = numbers.get(leaseKeyOf(request.facts));
    if (given === undefined) continue;
    const outcome = crashOutcome(
      request.facts,
      damage ? undefined : request.progress,
      writer.nowMs,
    );
    const { facts } = request;
    records.push({ kind: 'usage', ...facts, ...outcome, ...place(facts, given.next()) });
  }
  for (const lease of leases) {
    const given = numbers.get(leaseKeyOf(lease));
    if (given === undefined) continue;
    for (const number of given.missing()) {
      const facts = lostFacts(lease, number, writer.nowMs);
      const outcome = crashOutcome(facts, undefined, writer.nowMs);
      records.push({ kind: 'usage', ...facts, ...outcome, ...place(lease, number) });
    }
    if (lease.closed) continue;
    records.push({ kind: 'close', ...place(lease, given.next()), endedAtMs: writer.nowMs });
  }
  return records;
}

interface Numbers {
  next(): number;
  /** Numbers below the next one that nothing in the file has and billing has not settled. */
  missing(): readonly number[];
}

function createNumbers(lease: LeaseState, settlement: Settlement | undefined): Numbers {
  const billingNext = settlement?.nextNumber ?? 1;
  const missing: number[] = [];
  if (settlement !== undefined && !settlement.complete) {
    const present = new Set(lease.entries.map((entry) => entry.record.number));
    for (let number = billingNext; number <= lease.highest; number += 1) {
      if (!present.has(number)) missing.push(number);
    }
  }
  let next = Math.max(lease.highest + 1, billingNext);
  return {
    next() {
      const lost = missing.shift();
      if (lost !== undefined) return lost;
      next += 1;
      return next - 1;
    },
    missing: () => missing.splice(0),
  };
}

/** How a request ended that nobody was there to end. */
export function crashOutcome(
  facts: RequestFacts,
  progress: Progress | undefined,
  nowMs: number,
): RequestOutcome {
  const delivered = progress !== undefined && progress.deliveredBytes > 0 ? progress : undefined;
  // The text is gone with the process: only its length tells how many tokens it had.
  const tokens = {
    prompt: usualTokensOf(delivered?.promptBytes ?? 0),
    completion: usualTokensOf(delivered?.deliveredBytes ?? 0),
    cached: 0,
  };
  return {
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    cachedTokens: 0,
    amount: chargeOf(facts.prices, tokens, facts.drawn),
    source: delivered === undefined ? 'none' : 'partial',
    reason: 'crash',
    status: 'failed',
    errorCode: 'INTERNAL_ERROR',
    attempts: progress?.attempts ?? 1,
    latencyMs: Math.max(0, (progress?.atMs ?? facts.startedAtMs) - facts.startedAtMs),
    firstTokenMs: progress?.firstTokenMs ?? null,
    endedAtMs: nowMs,
    vendorAbsorbed: ZERO_NANO,
  };
}

// A number whose record the damage took: it is settled at zero in the place of what was lost.
function lostFacts(lease: LeaseState, number: number, nowMs: number): RequestFacts {
  return {
    requestId: `lost_${lease.accountId}_${lease.lease}_${number}`,
    clientRequestId: null,
    accountId: lease.accountId,
    lease: lease.lease,
    keyId: 'unknown',
    userId: null,
    model: 'unknown',
    requestedModel: 'unknown',
    channelId: null,
    ownChannel: false,
    priceVersion: 1,
    prices: FREE_PRICES,
    drawn: ZERO_NANO,
    stream: false,
    startedAtMs: nowMs,
    budget: null,
  };
}
