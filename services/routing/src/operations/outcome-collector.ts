import {
  type CallSummary,
  type Clock,
  isTransient,
  type Logger,
  MINUTE_MS,
  toAppError,
} from '@tollgate/core';
import { forEachConcurrently } from '@tollgate/jobs';
import { type Channel, type ChannelHealth, nextUpdateAtMs } from '../domain/channel';
import {
  errorAfterCheck,
  observeCalls,
  type ReportedCalls,
  withSuccessRates,
} from '../domain/health';
import type { ChannelStore, HealthCheck, RouteLog } from '../domain/ports';
import { isCredentialRefused } from './channel-health';
import { channelChanged, observedChanges } from './route-log';

export interface OutcomeCollectorOptions {
  readonly channels: ChannelStore;
  readonly routeLog: RouteLog;
  /** Asks the vendor for a short answer with the channel's credential. */
  readonly checkHealth: (channelId: string) => Promise<CredentialCheck>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What was seen of a channel, and when it was heard of. */
interface Observation {
  readonly calls: ReportedCalls;
  readonly heardAtMs: number;
}

type CredentialCheck = Pick<
  HealthCheck,
  'error' | 'healthy' | 'httpStatus' | 'isOutOfCredit' | 'model'
>;

/** Gathers what completion instances saw, and writes it now and then. */
export interface OutcomeCollector {
  /**
   * Takes one report. A refused credential is checked at once; everything else counts at the next
   * `flush`.
   */
  report(summaries: readonly CallSummary[]): void;
  /**
   * Writes changed health and appends at most one route change for all. A channel that cannot
   * be written holds up no other one; its observations wait for the next round when that may help.
   */
  flush(): Promise<void>;
  /** Resolves when no credential is being checked. */
  idle(): Promise<void>;
}

/** Channels whose observations wait for the flush at once; those of a further one are dropped. */
const PENDING_MAX = 10_000;

/** Observations that wait, of one channel and of all; of too many the channel's oldest are dropped. */
const OBSERVATIONS_PER_CHANNEL_MAX = 1_000;
const OBSERVATIONS_MAX = 100_000;

/** Channels that are written beside each other: one after the other they would be minutes old. */
const WRITES_AT_ONCE_MAX = 16;

/** A channel whose credential was found good is not asked again for so long. */
const RECHECK_AFTER_MS = 30_000;

/** A recovery that lies further ahead was dated by a clock that was wrong, and decides nothing. */
const CLOCKS_APART_MS_MAX = MINUTE_MS;

/** Creates a collector; observations in memory are lost with the process, and only statistics are. */
export function createOutcomeCollector(options: OutcomeCollectorOptions): OutcomeCollector {
  const { channels, routeLog, checkHealth, clock, logger } = options;
  const pending = new Map<string, Observation[]>();
  /** Observations in `pending`. */
  let waiting = 0;
  /** By channel: the check of its credential, and until when none is made again. */
  const credentialChecks = new Map<string, { readonly over: Promise<void>; untilMs: number }>();

  const disable = async (channel: Channel, found: CredentialCheck): Promise<void> => {
    const { httpStatus, isOutOfCredit = false } = found;
    const [why, sentence] = isOutOfCredit
      ? ['the account at the vendor is out of credit', 'The account at the vendor is out of credit']
      : ['the vendor refused the credential', 'The vendor refused the credential'];
    const atMs = clock.now();
    const disabled: Channel = {
      ...channel,
      status: 'auto_disabled',
      autoDisabled: { atMs, reason: `${sentence} (${httpStatus}).` },
      updatedAtMs: nextUpdateAtMs(channel, atMs),
    };
    // Observations written during the check may have removed its error: it is written again.
    const health: ChannelHealth = {
      ...channel.health,
      state: 'unhealthy',
      checkedAtMs: atMs,
      lastError: errorAfterCheck(channel.health.lastError, found),
      lastErrorKind: 'credential_refused',
      lastErrorAtMs: atMs,
    };
    const event = { type: 'channel.disabled', reason: why } as const;
    if (!(await channels.update(disabled, channel.updatedAtMs, { event, health }))) return;
    logger.warn({ channelId: channel.id, httpStatus }, `channel disabled: ${why}`);
    await routeLog.append(channelChanged(channel.id));
  };

  /**
   * A prompt alone can make a vendor answer like to a wrong credential, so what a customer's call met
   * disables nothing: only a check of our own does that is refused as well.
   */
  const checkCredential = async (channelId: string): Promise<void> => {
    const channel = await channels.find(channelId);
    if (!channel?.autoDisable || channel.status !== 'enabled') return;
    const found = await checkHealth(channelId);
    if (!isCredentialRefused(channel, found)) {
      logger.info({ channelId }, 'a vendor refused a call, but not the credential of the channel');
      return;
    }
    const current = await channels.find(channelId);
    if (current?.updatedAtMs === channel.updatedAtMs) await disable(current, found);
  };

  const startCredentialCheck = (channelId: string): void => {
    const monotonicNowMs = clock.monotonicMs();
    if ((credentialChecks.get(channelId)?.untilMs ?? 0) > monotonicNowMs) return;
    for (const [id, { untilMs }] of credentialChecks)
      if (untilMs <= monotonicNowMs) credentialChecks.delete(id);
    const over = checkCredential(channelId).catch((error: unknown) => {
      logger.warn({ channelId, error }, 'a refused credential cannot be checked');
    });
    const started = { over, untilMs: Number.POSITIVE_INFINITY };
    credentialChecks.set(channelId, started);
    void over.then(() => {
      started.untilMs = clock.monotonicMs() + RECHECK_AFTER_MS;
    });
  };

  /** Keeps the queue, of which `added` are new, as far as there is room. */
  const put = (channelId: string, queue: Observation[], added: number): void => {
    if (!pending.has(channelId) && pending.size >= PENDING_MAX) return;
    const tooMany = waiting + added - OBSERVATIONS_MAX;
    const dropped = queue.splice(0, Math.max(tooMany, queue.length - OBSERVATIONS_PER_CHANNEL_MAX));
    waiting += added - dropped.length;
    if (queue.length > 0) pending.set(channelId, queue);
  };

  const writeHealth = async (channelId: string, queue: readonly Observation[]): Promise<void> => {
    const channel = await channels.find(channelId);
    if (channel === undefined) return;
    const recoveredAtMs = channel.health.recoveredAtMs ?? 0;
    const isPlausible = recoveredAtMs <= clock.now() + CLOCKS_APART_MS_MAX;
    const health = queue
      .filter(({ heardAtMs }) => !isPlausible || heardAtMs >= recoveredAtMs)
      .reduce<ChannelHealth>(
        (before, { calls }) => observeCalls(before, calls, clock.now(), channel.models),
        channel.health,
      );
    await channels.writeHealth(channelId, health);
  };

  return {
    report(summaries) {
      const heardAtMs = clock.now();
      for (const calls of withSuccessRates(summaries)) {
        const queue = pending.get(calls.channelId) ?? [];
        queue.push({ calls, heardAtMs });
        put(calls.channelId, queue, 1);
        if (calls.kind === 'credential_refused') startCredentialCheck(calls.channelId);
      }
    },
    async flush() {
      if (pending.size === 0) return;
      const observed = [...pending];
      pending.clear();
      waiting = 0;
      const written: string[] = [];
      const transientErrors: unknown[] = [];
      let isAway = false;
      const atOnce = { atOnceMax: WRITES_AT_ONCE_MAX };
      await forEachConcurrently(observed, atOnce, async ([channelId, queue]) => {
        try {
          if (isAway) throw transientErrors.at(-1);
          await writeHealth(channelId, queue);
          written.push(channelId);
        } catch (error) {
          if (!isTransient(error)) {
            logger.warn({ channelId, error }, 'the health of a channel cannot be written');
            return;
          }
          transientErrors.push(error);
          isAway ||= toAppError(error).code === 'SERVICE_UNAVAILABLE';
          put(channelId, [...queue, ...(pending.get(channelId) ?? [])], queue.length);
        }
      });
      if (written.length > 0) await routeLog.append(...observedChanges(written));
      if (transientErrors.length > 0) throw transientErrors.at(-1);
    },
    async idle() {
      await Promise.all([...credentialChecks.values()].map(({ over }) => over));
    },
  };
}
