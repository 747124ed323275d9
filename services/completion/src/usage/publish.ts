import {
  type Clock,
  chunksOf,
  EventKeysRefused,
  type Logger,
  type NumberedRecord,
  type Timer,
} from '@tollgate/core';
import { type EventBus, writeUsageEvents } from '@tollgate/events';
import { repeat } from '@tollgate/jobs';
import type { BillingPort } from '../domain/billing';
import type { CompletionMetrics } from '../metrics';
import type { UsageSpool } from '../spool/spool';
import { DirectSettlement } from './direct-settlement';

/** Bounds of the way from the spool to billing. */
export interface PublicationBounds {
  /** How long a record waits for company. */
  readonly batchMs: number;
  readonly batchRecordsMax: number;
  /** How often billing is asked what is settled. */
  readonly pollMs: number;
  /** A record that is not settled after this time is sent again. */
  readonly resendMs: number;
  /** After this time without the bus a batch goes to billing directly. */
  readonly busTimeoutMs: number;
  /** How long the bus is left alone after it failed; then one record tries it. */
  readonly busPauseMs: number;
  readonly leasesPerPollMax: number;
}

/** The event bus, as publication uses it. */
export interface UsagePublisherPort {
  /**
   * Rejects after `timeoutMs`, and when it is not certain that all of it was accepted: with
   * EventKeysRefused once all but the records of some accounts were.
   */
  publish(records: readonly NumberedRecord[], timeoutMs: number): Promise<void>;
}

export interface PublicationDependencies {
  readonly spool: Pick<
    UsageSpool,
    | 'forget'
    | 'leasesToPoll'
    | 'onRecord'
    | 'requeue'
    | 'takeBatch'
    | 'unsentCount'
    | 'unsettledCount'
  >;
  readonly publisher: UsagePublisherPort;
  readonly billing: Pick<BillingPort, 'readWatermarks' | 'settleUsage'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<CompletionMetrics, 'publishedRecords' | 'republishedRecords'>;
  readonly bounds: PublicationBounds;
}

/** The longest pause before a record that billing got and did not settle is sent again. */
const RESEND_MS_MAX = 60_000;

/** Failed polls in a row before a warning: the spool only grows meanwhile. */
const FAILED_POLLS_TOLD = 10;

/**
 * Carries records from the spool to billing and forgets them when billing's watermark covers them.
 * The bus's acknowledgement is not enough: what is not settled in time is sent again, by a call,
 * because a bus that takes everything may still bring nothing to billing. Without the bus the same
 * batch goes to billing by a call at once. Records whose call failed go to the bus the next time;
 * those whose call billing answered do not. While billing answers no poll, nothing is sent again.
 */
export class UsagePublication {
  readonly #deps: PublicationDependencies;
  #sending: Promise<void> | undefined;
  #polling: Promise<void> | undefined;
  #batchTimer: Timer | undefined;
  readonly #stopping = new AbortController();
  readonly #direct: DirectSettlement;
  /** Records that the bus acknowledged, and of which no call failed since. */
  readonly #takenByBus = new WeakSet<NumberedRecord>();
  /** When the bus is tried again; undefined while it takes what it is given. */
  #busAwayUntilMs: number | undefined;
  #trying: Promise<void> | undefined;
  #running = false;
  #failedPolls = 0;

  constructor(deps: PublicationDependencies) {
    this.#deps = deps;
    this.#direct = new DirectSettlement({
      ...deps,
      ...deps.bounds,
      onFailed: (records) => {
        for (const record of records) this.#takenByBus.delete(record);
      },
    });
    deps.spool.onRecord(() => this.#onRecord());
  }

  start(): void {
    this.#running = true;
    this.#onRecord();
    const { pollMs } = this.#deps.bounds;
    const work = {
      name: 'settlements',
      intervalMs: pollMs,
      firstAfterMs: pollMs,
      run: () => this.poll(),
    };
    void repeat(work, this.#deps, this.#stopping.signal);
  }

  /** Stops after what is under way. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#batchTimer?.cancel();
    this.#stopping.abort();
    await Promise.all([this.#sending, this.#polling, this.#trying]);
    await this.#direct.idle();
  }

  /** Sends what waits, now, and asks once what is settled. */
  async flush(): Promise<void> {
    await this.send();
    await this.#direct.idle();
    await this.poll(this.#deps.bounds.resendMs);
  }

  /**
   * Sends what is unsent, batch by batch. One sender at a time keeps the order; what it left to
   * calls may still be under way afterwards.
   */
  send(): Promise<void> {
    this.#batchTimer?.cancel();
    this.#batchTimer = undefined;
    this.#sending ??= this.#sendWaiting().finally(() => {
      this.#sending = undefined;
      this.#onRecord();
    });
    return this.#sending;
  }

  /** Asks billing what is settled, and puts what is late among the unsent again. */
  poll(resendMsMax = RESEND_MS_MAX): Promise<void> {
    this.#polling ??= this.#pollAll(resendMsMax).finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  #onRecord(): void {
    if (!this.#running || this.#sending !== undefined) return;
    const { spool, clock, bounds } = this.#deps;
    if (spool.unsentCount === 0) return;
    if (spool.unsentCount >= bounds.batchRecordsMax) void this.send();
    else this.#batchTimer ??= clock.schedule(bounds.batchMs, () => void this.send());
  }

  /** Records that come meanwhile wait for company again, unless they fill a batch. */
  async #sendWaiting(): Promise<void> {
    const { spool, bounds } = this.#deps;
    let left = spool.unsentCount;
    while (left > 0 || spool.unsentCount >= bounds.batchRecordsMax) {
      const batch = spool.takeBatch(bounds.batchRecordsMax);
      if (batch.length === 0) return;
      left -= batch.length;
      await this.#handOver(batch);
    }
  }

  /**
   * What the bus took once and billing did not get goes the other way, and so does what follows it:
   * billing drops a record that overtakes its predecessor.
   */
  async #handOver(batch: readonly NumberedRecord[]): Promise<void> {
    const late = batch.filter((record) => this.#takenByBus.has(record));
    const lateAccounts = new Set(late.map(({ accountId }) => accountId));
    const goesByCall = ({ accountId }: NumberedRecord) =>
      lateAccounts.has(accountId) || this.#direct.has(accountId);
    this.#direct.add(batch.filter(goesByCall));
    const others = batch.filter((record) => !goesByCall(record));
    if (others.length === 0) return;
    const left = this.#busAwayUntilMs === undefined ? await this.#publish(others) : others;
    if (left.length === 0) return;
    this.#direct.add(left);
    if (this.#busAwayUntilMs !== undefined) this.#tryBus(left.slice(0, 1));
    await this.#direct.room();
  }

  /** Beside the calls, which carry the record as well: billing passes over what it has. */
  #tryBus(records: readonly NumberedRecord[]): void {
    const { clock } = this.#deps;
    if (this.#trying !== undefined || clock.monotonicMs() < (this.#busAwayUntilMs ?? 0)) return;
    this.#trying = this.#offer(records).then(() => {
      this.#trying = undefined;
    });
  }

  /** Gives the records that the bus did not take. */
  async #publish(records: readonly NumberedRecord[]): Promise<readonly NumberedRecord[]> {
    const isRefused = await this.#offer(records);
    const { refused = [], taken = [] } = Object.groupBy(records, (record) =>
      isRefused(record) ? 'refused' : 'taken',
    );
    for (const record of taken) this.#takenByBus.add(record);
    if (taken.length > 0) {
      this.#deps.metrics.publishedRecords.inc({ path: 'bus' }, taken.length);
    }
    return refused;
  }

  /** Tells which of the records were refused, and notes whether the bus is away. */
  async #offer(records: readonly NumberedRecord[]): Promise<(record: NumberedRecord) => boolean> {
    const { bounds, clock, logger, publisher } = this.#deps;
    try {
      await publisher.publish(records, bounds.busTimeoutMs);
      this.#busAwayUntilMs = undefined;
      return () => false;
    } catch (error) {
      if (error instanceof EventKeysRefused) {
        // A part of the bus takes nothing, and the rest all that it is given.
        this.#busAwayUntilMs = undefined;
        logger.debug({ error }, 'the event bus refused usage, which goes to billing directly');
        return ({ accountId }) => error.keys.has(accountId);
      }
      this.#busAwayUntilMs = clock.monotonicMs() + bounds.busPauseMs;
      logger.warn({ error }, 'the event bus is away; usage goes to billing directly');
      return () => true;
    }
  }

  async #pollAll(resendMsMax: number): Promise<void> {
    const { billing, bounds, logger, metrics, spool } = this.#deps;
    let failure: unknown;
    let isAnswered = false;
    // A question that fails holds up no other one: nothing is forgotten but what was answered.
    for (const refs of chunksOf(spool.leasesToPoll(), bounds.leasesPerPollMax)) {
      try {
        spool.forget(await billing.readWatermarks(refs));
        isAnswered = true;
      } catch (error) {
        failure ??= error;
      }
    }
    this.#failedPolls = failure === undefined ? 0 : this.#failedPolls + 1;
    if (failure !== undefined) {
      const level = this.#failedPolls === FAILED_POLLS_TOLD ? 'warn' : 'debug';
      const left = spool.unsettledCount;
      logger[level]({ error: failure, left }, 'billing does not say what is settled');
    }
    // What is not settled is known by an answer alone. An hour without one would otherwise fill the
    // event bus with copies, and billing would read all of them before anything new.
    const requeued = isAnswered ? spool.requeue(bounds.resendMs, resendMsMax) : 0;
    if (requeued > 0) metrics.republishedRecords.inc(undefined, requeued);
    this.#onRecord();
  }
}

/** Publishes records to `tollgate.usage.v1`, one account's in order and together. */
export function createUsagePublisher(bus: EventBus, clock: Clock): UsagePublisherPort {
  return {
    publish(records, timeoutMs) {
      return bus.publish(writeUsageEvents(records, clock), { timeoutMs });
    },
  };
}
