import type { Nano } from '@tollgate/core';
import type {
  KeyBudget,
  LeaseRef,
  NumberedRecord,
  Progress,
  RequestFacts,
  RequestOutcome,
  Settlement,
  UsageEntry,
} from './usage-record';

/** The durable log of usage, as operations and leases see it; the spool implements it. */
export interface UsageSpool {
  readonly spoolId: string;
  readonly epoch: number;
  /** What older epochs left open is ended. */
  readonly recovered: boolean;
  /** Whether new paid work may begin: recovered, and neither poisoned nor nearly full. */
  readonly acceptsWork: boolean;
  /** As `acceptsWork`, and the account's own unsettled records leave room for others. */
  acceptsWorkOf(accountId: string): boolean;
  readonly poison: Error | undefined;
  readonly unsettledCount: number;
  readonly outboxCount: number;
  readonly openRequestCount: number;
  readonly openLeaseCount: number;
  readonly utilisation: number;
  addLease(ref: LeaseRef, nextNumber: number): void;
  knowsLease(ref: LeaseRef): boolean;
  isClosed(ref: LeaseRef): boolean;
  begin(facts: RequestFacts): Promise<void>;
  checkpoint(requestId: string, progress: Progress): void;
  end(requestId: string, outcome: RequestOutcome): Promise<UsageEntry>;
  closeLease(ref: LeaseRef): Promise<void>;
  unsettledOf(ref: LeaseRef): number;
  takeBatch(countMax: number): readonly NumberedRecord[];
  requeue(ageMs: number): number;
  leasesToPoll(): readonly LeaseRef[];
  settle(settlements: readonly Settlement[]): number;
  onPoison(listener: (error: Error) => void): void;
  onEntry(listener: () => void): void;
}

/** What reading the files found. */
export interface RecoveryReport {
  /** Bytes after the last whole record: cut, and counted. */
  readonly tornBytes: number;
  /** Broken places in front of whole records, and records that cannot be read. */
  readonly damagedPlaces: number;
  readonly openRequests: number;
  readonly openLeases: number;
}

/** How far billing is with each lease; needed only for a damaged spool. */
export type SettlementsByLease = ReadonlyMap<string, Settlement>;

/** The spool as whoever starts or drains it sees it. */
export interface RecoverableSpool extends UsageSpool {
  /** Takes the directory and reads it. Nothing may be begun before `recover`. */
  open(): Promise<RecoveryReport>;
  /** Every lease that the files mention; a damaged spool asks billing about them. */
  leaseRefs(): readonly LeaseRef[];
  /** Ends and closes what older epochs left open. `damage` holds billing's word on every lease. */
  recover(damage?: SettlementsByLease): Promise<readonly NumberedRecord[]>;
  flush(): Promise<void>;
  /** Writes what is pending and gives the directory free. */
  close(): Promise<void>;
}

/** What a lease is asked for. */
export interface AcquireRequest {
  readonly accountId: string;
  /** Unique per lease; a repeat answers the same lease and renews it. */
  readonly nonce: string;
  readonly amount: Nano;
  /** Less is not granted; 0 is always granted. */
  readonly minimum: Nano;
  readonly budget: KeyBudget | null;
}

/** A lease as billing granted it. */
export interface LeaseGrant {
  readonly lease: number;
  readonly remaining: Nano;
  readonly ttlMs: number;
  readonly marginMs: number;
  readonly nextNumber: number;
  /** Its credit was taken back: nothing may be drawn. */
  readonly swept: boolean;
  /** What the account has left outside leases. */
  readonly available: Nano;
  /** Someone else needs the credit. */
  readonly recalled: boolean;
}

/** Billing, as this service uses it. Failures are AppErrors. */
export interface BillingPort {
  acquireLease(request: AcquireRequest): Promise<LeaseGrant>;
  getSettlements(leases: readonly LeaseRef[]): Promise<readonly Settlement[]>;
  settleUsage(records: readonly NumberedRecord[]): Promise<readonly Settlement[]>;
}

/** The event bus, as this service uses it. */
export interface UsagePublisherPort {
  /** Rejects after `timeoutMs`, and when it is not certain that all of it was accepted. */
  publish(records: readonly NumberedRecord[], timeoutMs: number): Promise<void>;
}

/** What happened on a channel since the last report. */
export interface ChannelOutcome {
  readonly channelId: string;
  readonly model: string;
  readonly kind: 'success' | 'failure' | 'timeout' | 'rate_limited' | 'credential_refused';
  readonly count: number;
  /** Of the newest call. */
  readonly latencyMs: number;
  readonly firstTokenMs: number;
  /** Of the model at the channel. */
  readonly breaker: 'closed' | 'half_open' | 'open';
  /** How long the vendor still wants to be left alone; 0 when it does not. */
  readonly cooldownMs: number;
}

/** Routing, as this service uses it. */
export interface RoutingPort {
  reportOutcomes(outcomes: readonly ChannelOutcome[]): Promise<void>;
}
