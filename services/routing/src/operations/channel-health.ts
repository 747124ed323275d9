import {
  AppError,
  type Clock,
  createId,
  invalid,
  isTransient,
  type Logger,
  toAppError,
} from '@tollgate/core';
import {
  type Idempotency,
  type IdempotencyOptions,
  type IdempotentResult,
  runIdempotently,
} from '@tollgate/mongo';
import {
  type BreakerState,
  type Channel,
  type ChannelHealth,
  type FailureKind,
  UNKNOWN_HEALTH,
} from '../domain/channel';
import { NO_ERROR, type Outcome, observeOutcome } from '../domain/health';
import type {
  ChannelStore,
  HealthCheck,
  ModelStore,
  RouteChangeLog,
  VendorProbe,
} from '../domain/ports';

export interface HealthCheckOptions extends IdempotencyOptions {
  readonly channels: ChannelStore;
  readonly models: Pick<ModelStore, 'find'>;
  readonly routeChanges: RouteChangeLog;
  readonly probe: Pick<VendorProbe, 'check'>;
  readonly openCredential: (channel: Channel) => string;
  /** Ends a check whose outcome nobody needs any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Longer than any probe takes. */
const RUNNING_MS_MAX = 150_000;

/** Checks a channel once for each Idempotency-Key: a repetition does not call the vendor again. */
export function checkChannelHealth(
  options: HealthCheckOptions,
  channelId: string,
  modelName: string,
  idempotency: Idempotency,
): Promise<IdempotentResult<HealthCheck>> {
  return runIdempotently<HealthCheck, string>(options, {
    operation: `check-channel-health ${channelId}`,
    idempotency,
    runningMsMax: RUNNING_MS_MAX,
    newEffectId: () => createId('event'),
    effect: (checkId) => check(options, channelId, modelName, checkId),
    findEffect: (checkId) => options.channels.findCheck(channelId, checkId),
  });
}

/**
 * Asks the vendor for one token and records what it showed. A channel that was disabled
 * automatically and answers again is enabled, and `channel.recovered` is published.
 */
async function check(
  options: HealthCheckOptions,
  channelId: string,
  modelName: string,
  checkId: string,
): Promise<HealthCheck> {
  const { channels, routeChanges, models, probe, clock, signal } = options;
  const channel = await channels.find(channelId);
  if (channel === undefined) throw new AppError('NOT_FOUND');
  const model =
    modelName === ''
      ? channel.models[0]
      : channel.models.find((candidate) => candidate.name === modelName);
  if (model === undefined) throw invalid('model', 'The channel does not serve this model.');
  const { kind = 'chat' } = (await models.find(model.name)) ?? {};
  const asked = { kind, name: model.upstreamName };
  const result = await probe.check(channel, options.openCredential(channel), asked, signal);
  const checkedAtMs = clock.now();
  const found: HealthCheck = { ...result, channelId, model: model.name, checkedAtMs };
  // A recovered channel starts with a clean record: its past failures were the outage's.
  const recovered = result.healthy && channel.status === 'auto_disabled';
  const before = recovered ? UNKNOWN_HEALTH : channel.health;
  const observed = before.models.find((known) => known.model === model.name);
  const observedHealth = observeOutcome(
    before,
    {
      channelId,
      model: model.name,
      kind: result.healthy ? 'success' : 'failure',
      count: 1,
      latencyMs: result.latencyMs ?? 0,
      firstTokenMs: 0,
      breaker: breakerAfter(result.healthy, observed?.breaker),
      cooldownMs: Math.max(0, (observed?.cooldownUntilMs ?? 0) - checkedAtMs),
      detail: '',
    },
    checkedAtMs,
    channel.models,
  );
  const failed = { lastError: result.error, lastErrorKind: kindOf(channel, result) };
  const error = result.healthy ? NO_ERROR : { ...failed, lastErrorAtMs: checkedAtMs };
  const health = { ...observedHealth, ...error };
  if (recovered) {
    const enabled: Channel = {
      ...channel,
      status: 'enabled',
      selfDisabled: null,
      health,
      updatedAtMs: Math.max(checkedAtMs, channel.updatedAtMs + 1),
    };
    await channels.update(enabled, channel.updatedAtMs, {
      event: { type: 'channel.recovered', reason: 'a health check succeeded' },
      check: { ...found, id: checkId },
    });
  } else {
    await channels.setHealth(channelId, health, { ...found, id: checkId });
  }
  // A channel that stays disabled is in nobody's table.
  if (recovered || channel.status === 'enabled') await routeChanges.append(`health:${channelId}`);
  return found;
}

/**
 * A check goes past the breakers of those who serve, and leaves them as they are. One that nobody
 * called since it opened lets a call try by now, and the vendor works: it is not reported open.
 */
function breakerAfter(healthy: boolean, observed: BreakerState = 'closed'): BreakerState {
  return healthy && observed === 'open' ? 'half_open' : observed;
}

export interface OutcomeCollectorOptions {
  readonly channels: ChannelStore;
  readonly routeChanges: RouteChangeLog;
  /** Asks the vendor for one token with the channel's credential. */
  readonly checkHealth: (channelId: string) => Promise<CredentialCheck>;
  readonly clock: Clock;
  readonly logger: Logger;
}

type CredentialCheck = Pick<HealthCheck, 'healthy' | 'httpStatus' | 'error'>;

/** Gathers what completion instances saw, and writes it now and then. */
export interface OutcomeCollector {
  /** A refused credential is checked at once; everything else counts at the next `flush`. */
  report(outcomes: readonly Outcome[]): void;
  /**
   * Writes changed health and appends at most one route change for all. A channel that cannot
   * be written keeps no other one; its observations wait for the next round when that may help.
   */
  flush(): Promise<void>;
  /** Resolves when no credential is being checked. */
  idle(): Promise<void>;
}

/** Channels with observations since the last flush; the rest of the table bounds it. */
const PENDING_MAX = 10_000;

/** Observations of one channel that wait; with the store away the oldest of more are dropped. */
const OBSERVATIONS_MAX = 1_000;

/** A channel whose credential was found good is not asked again for so long. */
const TRUSTED_MS = 30_000;

/** Creates a collector; observations in memory are lost with the process, and only statistics are. */
export function createOutcomeCollector(options: OutcomeCollectorOptions): OutcomeCollector {
  const { channels, routeChanges, checkHealth, clock, logger } = options;
  const pending = new Map<string, Outcome[]>();
  /** By channel: the check of its credential, and until when none is made again. */
  const credentialChecks = new Map<string, { readonly over: Promise<void>; untilMs: number }>();

  const disable = async (channel: Channel, found: CredentialCheck): Promise<void> => {
    const { error, httpStatus } = found;
    const atMs = clock.now();
    const disabled: Channel = {
      ...channel,
      status: 'auto_disabled',
      selfDisabled: { atMs, reason: `The vendor refused the credential (${httpStatus}).` },
      // Observations that were written during the check took its error away.
      health: {
        ...channel.health,
        state: 'unhealthy',
        checkedAtMs: atMs,
        lastError: error,
        lastErrorKind: 'credential_refused',
        lastErrorAtMs: atMs,
      },
      updatedAtMs: Math.max(atMs, channel.updatedAtMs + 1),
    };
    const event = {
      type: 'channel.disabled',
      reason: 'the vendor refused the credential',
    } as const;
    if (!(await channels.update(disabled, channel.updatedAtMs, { event }))) return;
    logger.warn(
      { channelId: channel.id, httpStatus },
      'channel disabled: the vendor refused its credential',
    );
    await routeChanges.append(`channel:${channel.id}`);
  };

  /**
   * A prompt alone can make a vendor answer like to a wrong credential, so what a tenant's call met
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
    const nowMs = clock.monotonicMs();
    if ((credentialChecks.get(channelId)?.untilMs ?? 0) > nowMs) return;
    for (const [id, { untilMs }] of credentialChecks)
      if (untilMs <= nowMs) credentialChecks.delete(id);
    const over = checkCredential(channelId).catch((error: unknown) => {
      logger.warn({ channelId, error }, 'a refused credential cannot be checked');
    });
    const started = { over, untilMs: Number.POSITIVE_INFINITY };
    credentialChecks.set(channelId, started);
    void over.then(() => {
      started.untilMs = clock.monotonicMs() + TRUSTED_MS;
    });
  };

  const put = (channelId: string, queue: Outcome[]): void => {
    if (!pending.has(channelId) && pending.size >= PENDING_MAX) return;
    queue.splice(0, queue.length - OBSERVATIONS_MAX);
    pending.set(channelId, queue);
  };

  const writeHealth = async (channelId: string, queue: readonly Outcome[]): Promise<void> => {
    const channel = await channels.find(channelId);
    if (channel === undefined) return;
    const health = queue.reduce<ChannelHealth>(
      (before, outcome) => observeOutcome(before, outcome, clock.now(), channel.models),
      channel.health,
    );
    await channels.setHealth(channelId, health);
  };

  return {
    report(outcomes) {
      for (const outcome of outcomes) {
        const queue = pending.get(outcome.channelId) ?? [];
        queue.push(outcome);
        put(outcome.channelId, queue);
        if (outcome.kind === 'credential_refused') startCredentialCheck(outcome.channelId);
      }
    },
    async flush() {
      if (pending.size === 0) return;
      const observed = [...pending];
      pending.clear();
      let written = 0;
      let passing: Error | undefined;
      for (const [channelId, queue] of observed) {
        try {
          if (passing !== undefined && isStoreAway(passing)) throw passing;
          await writeHealth(channelId, queue);
          written += 1;
        } catch (error) {
          if (!isTransient(error)) {
            logger.warn({ channelId, error }, 'the health of a channel cannot be written');
            continue;
          }
          passing = error as Error;
          put(channelId, [...queue, ...(pending.get(channelId) ?? [])]);
        }
      }
      if (written > 0) await routeChanges.append('health');
      if (passing !== undefined) throw passing;
    },
    async idle() {
      await Promise.all([...credentialChecks.values()].map(({ over }) => over));
    },
  };
}

function isStoreAway(failure: unknown): boolean {
  return failure !== undefined && toAppError(failure).code === 'SERVICE_UNAVAILABLE';
}

/** How a check failed, in the words that calls have. */
function kindOf(
  channel: Channel,
  result: Pick<HealthCheck, 'healthy' | 'httpStatus'>,
): FailureKind {
  if (isCredentialRefused(channel, result)) return 'credential_refused';
  return result.httpStatus === 429 ? 'rate_limited' : 'failure';
}

/** Gemini answers a key that is not valid like a request that is not, and ours is valid. */
function isCredentialRefused(
  { type }: Channel,
  { healthy, httpStatus }: Pick<HealthCheck, 'healthy' | 'httpStatus'>,
): boolean {
  if (healthy) return false;
  return httpStatus === 401 || httpStatus === 403 || (type === 'gemini' && httpStatus === 400);
}
