import type { Nano, UnitPrices } from '@tollgate/core';

/** How often a key's budget starts again; `none` never does. */
export type BudgetPeriod = 'none' | 'day' | 'week' | 'month';

/** The budget that a key carries. */
export interface KeyBudget {
  readonly keyId: string;
  readonly limit: Nano;
  readonly period: BudgetPeriod;
}

/** Names a lease: billing numbers leases within an account. */
export interface LeaseRef {
  readonly accountId: string;
  readonly lease: number;
}

/** One text for a lease, for use as a map key. */
export function leaseKeyOf(ref: LeaseRef): string {
  return `${ref.accountId}/${ref.lease}`;
}

/**
 * Where the token counts come from: the vendor's usage, our count of a whole answer, our count of a
 * cut answer, or nothing was delivered.
 */
export type UsageSource = 'exact' | 'counted' | 'partial' | 'none';

/** Why a request ended. */
export type EndReason =
  | 'stop'
  | 'length'
  | 'content_filter'
  | 'tool_calls'
  | 'client_gone'
  | 'vendor_gone'
  | 'vendor_error'
  | 'no_channel'
  | 'deadline'
  | 'shutdown'
  | 'crash'
  | 'internal_error';

/** What is known when a request begins; the BEGIN record carries it. */
export interface RequestStart {
  readonly requestId: string;
  readonly clientRequestId: string | null;
  readonly accountId: string;
  readonly lease: number;
  readonly keyId: string;
  readonly userId: string | null;
  readonly model: string;
  readonly requestedModel: string;
  readonly channelId: string | null;
  readonly ownChannel: boolean;
  readonly priceVersion: number;
  readonly prices: UnitPrices;
  /** What was held for it; no charge passes it. */
  readonly reserved: Nano;
  readonly stream: boolean;
  readonly startedAtMs: number;
  readonly budget: KeyBudget | null;
}

/** What is known when it ends. */
export interface RequestOutcome {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The part of `promptTokens` that the vendor had cached. */
  readonly cachedTokens: number;
  readonly amount: Nano;
  readonly source: UsageSource;
  readonly reason: EndReason;
  readonly status: 'succeeded' | 'failed';
  readonly errorCode: string | null;
  readonly attempts: number;
  readonly latencyMs: number;
  readonly firstTokenMs: number | null;
  readonly endedAtMs: number;
  /** Vendor cost that nobody was charged for. */
  readonly vendorAbsorbed: Nano;
}

/** The place of a record in its lease: gapless from 1. */
interface NumberedPlace extends LeaseRef {
  readonly number: number;
  /** The spool that wrote it, and its epoch (one per start of the process). */
  readonly holder: string;
  readonly epoch: number;
}

/** A finished request, ready to be settled. */
export interface UsageEntry extends NumberedPlace, RequestStart, RequestOutcome {
  readonly kind: 'usage';
}

/** The last record of a lease: its remainder goes back to the account. */
export interface CloseEntry extends NumberedPlace {
  readonly kind: 'close';
  readonly endedAtMs: number;
}

/** What billing settles, in the order of `number` within a lease. */
export type NumberedRecord = UsageEntry | CloseEntry;

/** How far a lease is settled: every record below `nextNumber`, or all of them. */
export interface Settlement extends LeaseRef {
  readonly nextNumber: number;
  readonly complete: boolean;
}

/**
 * What was delivered so far, as the spool keeps it for the case of a crash. Nobody has counted the
 * tokens of it: nearly every checkpoint is thrown away.
 */
export interface Progress {
  readonly promptBytes: number;
  readonly deliveredBytes: number;
  readonly firstTokenMs: number | null;
  readonly attempts: number;
  readonly atMs: number;
}
