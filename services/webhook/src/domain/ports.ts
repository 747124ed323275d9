import type { IdPage, WebhookEventType } from '@tollgate/core';
import type { AttemptOutcome, AttemptResult } from './attempt';
import type { Delivery } from './delivery';
import type { DenialSpell } from './denial-spell';
import type { Endpoint, EndpointHealth, EndpointId } from './endpoint';
import type { RecentDenials } from './sustained-denials';
import type { Audience } from './webhook-event';

/** Where endpoints are kept. */
export interface EndpointStore {
  /** As long as the account has fewer than `endpointsMax`, however many are made at once. */
  insert(endpoint: Endpoint, endpointsMax: number): Promise<'inserted' | 'exists' | 'full'>;
  find(endpointId: string): Promise<Endpoint | undefined>;
  /** Of one account, oldest first. */
  list(accountId: string, page: IdPage): Promise<readonly Endpoint[]>;
  /** Of every account: those that are `auto_disabled`. */
  listAutoDisabled(limit: number): Promise<readonly Endpoint[]>;
  /** Enabled ones of the audience that subscribe to the event. */
  subscribers(audience: Audience, event: WebhookEventType): Promise<readonly Endpoint[]>;
  /**
   * Writes what people decide; false when the endpoint is gone or has another revision. Its
   * failures are forgotten when `forgive` is true.
   */
  update(endpoint: Endpoint, expectedRevision: number, forgive: boolean): Promise<boolean>;
  /** Disables it if it is enabled and still has the URL; false otherwise. */
  autoDisable(endpointId: EndpointId, url: string): Promise<boolean>;
  /** Since when it fails, after this attempt; undefined when it is gone or has another URL. */
  updateHealth(
    endpointId: EndpointId,
    url: string,
    attempt: {
      readonly succeeded: boolean;
      readonly statusCode: number | null;
      readonly atMs: number;
    },
  ): Promise<Pick<EndpointHealth, 'failingSinceMs'> | undefined>;
  /** Remembers that numbers up to this one are taken, whatever happens to the deliveries. */
  raiseSequence(endpointId: EndpointId, sequence: number): Promise<void>;
  /** False when the account has no such endpoint. */
  remove(accountId: string, endpointId: string): Promise<boolean>;
}

/** An account whose deliveries are to go. */
export interface Erasure {
  readonly accountId: string;
  /** How often it was told. */
  readonly times: number;
}

/** Where erasures stand until nothing of their account is left. */
export interface ErasureStore {
  begin(accountId: string): Promise<void>;
  /** By account, after that one. */
  listOpen(page: IdPage): Promise<readonly Erasure[]>;
  /** Does nothing when it was told again meanwhile. */
  end(erasure: Erasure): Promise<void>;
}

/** What else is kept of an account, its endpoints and their deliveries aside. */
export interface RemnantStore {
  /** Recent denials, spells of denials, and answers kept for an Idempotency-Key. */
  removeOf(accountId: string): Promise<void>;
}

/** An endpoint of which a delivery is due, or will be soon. */
export interface DueEndpoint {
  readonly endpoint: Endpoint;
  readonly dueAtMs: number;
  /** Counted up whenever a delivery becomes due; null before the first. */
  readonly dueTurn: number | null;
}

/** What is passed over when due endpoints are listed. */
export interface EndpointsToSkip {
  readonly endpoints: readonly string[];
  /** Accounts of which every endpoint is passed over. */
  readonly accounts: readonly string[];
  /** Accounts of which the endpoints are passed over whose last attempt failed. */
  readonly accountsOfFailing: readonly string[];
  /** Also all whose last attempt failed. */
  readonly failing: boolean;
}

/** The outcome of an attempt, as it is written. */
export interface AttemptRecord {
  readonly outcome: AttemptOutcome;
  readonly atMs: number;
}

/** The right to make one attempt: writes of a leader of the past are refused by it. */
export interface Claim {
  readonly fence: bigint;
  readonly untilAtMs: number;
}

/**
 * With each endpoint a time before which none of its deliveries is due: to pass over a long queue
 * then costs no more than a short one. The store of deliveries lowers it whenever one becomes due.
 */
export interface DueEndpoints {
  /** Endpoints whose time is not after that one, the longest due first. */
  list(untilAtMs: number, limit: number, skipped: EndpointsToSkip): Promise<readonly DueEndpoint[]>;
  /** All that was due is started: the endpoint is listed again when its next delivery is due. */
  scheduleNext(endpoint: DueEndpoint): Promise<void>;
  /**
   * The endpoint could not be worked with: it is not listed before that time, unless another of its
   * deliveries becomes due meanwhile.
   */
  quarantine(endpointId: EndpointId, untilAtMs: number): Promise<void>;
  /** Each endpoint is listed from that time on, if not before; answers those that are gone. */
  bringForward(endpointIds: readonly EndpointId[], atMs: number): Promise<readonly EndpointId[]>;
}

/** Where deliveries are kept. */
export interface DeliveryStore {
  findOfEvent(endpointId: EndpointId, eventKey: string): Promise<Delivery | undefined>;
  /** The highest number of the deliveries that are kept; 0 when none is. */
  newestSequence(endpointId: EndpointId): Promise<number>;
  /** False when the endpoint already has a delivery of this number or of this event. */
  insert(delivery: Delivery): Promise<boolean>;
  find(accountId: string, deliveryId: string): Promise<Delivery | undefined>;
  /** Newest first, with numbers below the cursor. */
  list(
    endpointId: EndpointId,
    limit: number,
    below: number | undefined,
  ): Promise<readonly Delivery[]>;
  /** Of all endpoints of the account, made within the span, the oldest first. */
  listOfAccount(
    accountId: string,
    span: { readonly fromAtMs: number; readonly untilAtMs: number },
    limit: number,
  ): Promise<readonly Delivery[]>;
  /** Pending ones of the endpoint whose time has come, the longest due first. */
  due(endpointId: EndpointId, now: number, limit: number): Promise<readonly Delivery[]>;
  /** Pending ones whose time lay in the span, the longest due first. */
  overdue(
    span: {
      readonly fromAtMs: number;
      readonly untilAtMs: number;
      readonly notOf: readonly EndpointId[];
    },
    limit: number,
  ): Promise<readonly Pick<Delivery, 'endpointId' | 'dueAtMs'>[]>;
  /** False when it is no longer due as it was, or a newer leader has touched it. */
  claim(delivery: Delivery, claim: Claim): Promise<boolean>;
  /** False when the claim is no longer in force. */
  record(delivery: Delivery, claim: Claim, record: AttemptRecord): Promise<boolean>;
  /**
   * Makes it due now with the whole schedule ahead; false while an attempt is running, and when
   * `restartId` is its newest restart already.
   */
  restart(delivery: Delivery, now: number, restartId: string): Promise<boolean>;
  /** The delivery, if `restartId` is its newest restart; else undefined. */
  findRestarted(
    accountId: string,
    deliveryId: string,
    restartId: string,
  ): Promise<Delivery | undefined>;
  /** Holds what waits for the endpoint, up to the number. */
  pause(endpointId: EndpointId, upToSequence: number, now: number): Promise<void>;
  /** Makes what was held due now. */
  resume(endpointId: EndpointId, now: number): Promise<void>;
  /** How many wait for the endpoint; counts no further than `limit`. */
  countWaiting(endpointId: EndpointId, limit: number, event?: WebhookEventType): Promise<number>;
  removeOf(endpointId: EndpointId): Promise<void>;
  /** A bounded number of the account's, whichever endpoint they are of; false when none is left. */
  removeSomeOf(accountId: string): Promise<boolean>;
}

/** Where the recent denials of an account and key are kept. */
export interface RecentDenialsStore {
  find(accountId: string, keyId: string | null): Promise<StoredRecentDenials>;
  /** False when they have changed since they were read. */
  update(
    accountId: string,
    keyId: string | null,
    recent: RecentDenials,
    expectedRevision: number,
  ): Promise<boolean>;
}

/** Where spells of denials are kept, one for each account and status. */
export interface DenialSpellStore {
  find(place: SpellPlace): Promise<DenialSpell | undefined>;
  /** False when there is one. */
  insert(spell: DenialSpell): Promise<boolean>;
  /** False when it is over at the time, or ending. */
  extend(
    place: SpellPlace,
    times: Pick<DenialSpell, 'lastAtMs' | 'overAtMs'>,
    now: number,
  ): Promise<boolean>;
  markTold(spell: DenialSpell): Promise<void>;
  /** A page of those that are over at the time, over the longest first. */
  listOver(
    now: number,
    page: { readonly after: DenialSpell | undefined; readonly limit: number },
  ): Promise<readonly DenialSpell[]>;
  /** False when a denial was added since it was read. */
  beginEnd(spell: DenialSpell): Promise<boolean>;
  remove(spell: DenialSpell): Promise<void>;
}

type SpellPlace = Pick<DenialSpell, 'accountId' | 'status'>;

/** With the guard of their next change; revision 0 when nothing is stored yet. */
export interface StoredRecentDenials {
  readonly recent: RecentDenials;
  readonly revision: number;
}

/** One signed message. */
export interface OutgoingMessage {
  readonly url: string;
  readonly messageId: string;
  readonly body: string;
  /** In clear, the current one first. */
  readonly secrets: readonly string[];
}

/** The customer's server, as we reach it. */
export interface Receiver {
  /**
   * Throws VALIDATION_ERROR for a URL that must not be called. The setting that would allow its host
   * is named to operators only.
   */
  checkUrl(url: string, giver: 'operator' | 'customer'): Promise<void>;
  post(message: OutgoingMessage, signal: AbortSignal): Promise<AttemptResult>;
}
