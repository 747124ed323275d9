import {
  AppError,
  type BreakerState,
  type CallFailureKind,
  type Idempotency,
  invalid,
} from '@tollgate/core';
import { type IdempotencyOptions, type IdempotentResult, runIdempotently } from '@tollgate/mongo';
import {
  type Channel,
  type ChannelHealth,
  type ChannelModel,
  nextUpdateAtMs,
  UNKNOWN_HEALTH,
} from '../domain/channel';
import { errorAfterCheck, observeCalls } from '../domain/health';
import type { ChannelStore, HealthCheck, ModelStore, RouteLog, VendorProbe } from '../domain/ports';
import { channelChanged, observedChanges } from './route-log';

export interface HealthCheckOptions extends IdempotencyOptions {
  readonly channels: ChannelStore;
  readonly models: Pick<ModelStore, 'find'>;
  readonly routeLog: RouteLog;
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
    effect: (checkId) => check(options, channelId, modelName, checkId),
    findEffect: (checkId) => options.channels.findCheck(channelId, checkId),
  });
}

/**
 * Asks the vendor for a short answer and records what it showed. A channel that was disabled
 * automatically and answers again is enabled, and `channel.recovered` is published.
 */
async function check(
  options: HealthCheckOptions,
  channelId: string,
  modelName: string,
  checkId: string,
): Promise<HealthCheck> {
  const { channels, routeLog, models, probe, clock, signal } = options;
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
  // Calls went on meanwhile: what they met is written already, and stays.
  const present = await channels.find(channelId);
  if (present === undefined) throw new AppError('NOT_FOUND');
  const checkedAtMs = clock.now();
  const found: HealthCheck = { ...result, channelId, model: model.name, checkedAtMs };
  const wasDisabled = channel.status === 'auto_disabled' && present.status === 'auto_disabled';
  if (wasDisabled && !isAskedAlike(channel, present, model)) throw changedMeanwhile();
  const recovered = wasDisabled && result.healthy;
  // A recovered channel starts with a clean record: its past failures were the outage's.
  const before = recovered ? { ...UNKNOWN_HEALTH, recoveredAtMs: checkedAtMs } : present.health;
  const health = healthAfter(before, found, present);
  const recorded = { ...found, id: checkId };
  if (recovered) await enable(channels, present, health, recorded);
  else await channels.writeHealth(channelId, health, recorded);
  if (recovered) await routeLog.append(channelChanged(channelId));
  // A channel that stays disabled is in nobody's table.
  else if (present.status === 'enabled') await routeLog.append(...observedChanges([channelId]));
  return found;
}

/** Whether a check now would ask the same vendor for the same, for the same disabling. */
function isAskedAlike(
  before: Channel,
  now: Channel,
  { name, upstreamName }: ChannelModel,
): boolean {
  return (
    now.type === before.type &&
    now.baseUrl === before.baseUrl &&
    now.sealedCredential === before.sealedCredential &&
    now.autoDisabled?.atMs === before.autoDisabled?.atMs &&
    now.models.some((model) => model.name === name && model.upstreamName === upstreamName)
  );
}

function changedMeanwhile(): AppError {
  const publicMessage = 'The channel was changed by somebody else meanwhile. Check it again.';
  return new AppError('CONFLICT', { publicMessage, retryable: true });
}

/** What a check adds to what calls have shown. */
function healthAfter(before: ChannelHealth, found: HealthCheck, channel: Channel): ChannelHealth {
  const { checkedAtMs, healthy } = found;
  const observed = before.models.find((known) => known.model === found.model);
  const successRate = healthy ? 1 : 0;
  const health = observeCalls(
    before,
    {
      channelId: channel.id,
      model: found.model,
      kind: healthy ? 'success' : 'failure',
      count: 1,
      modelSuccessRate: successRate,
      channelSuccessRate: successRate,
      latencyMs: found.latencyMs ?? 0,
      firstTokenMs: 0,
      breaker: breakerAfter(healthy, observed?.breaker),
      cooldownMs: Math.max(0, (observed?.cooldownUntilMs ?? 0) - checkedAtMs),
      detail: '',
    },
    checkedAtMs,
    channel.models,
  );
  // One good check of a channel that goes on failing does not hide what its calls met.
  if (healthy) return health;
  return {
    ...health,
    lastError: errorAfterCheck(before.lastError, found),
    lastErrorKind: kindOf(channel, found),
    lastErrorAtMs: checkedAtMs,
  };
}

async function enable(
  channels: Pick<ChannelStore, 'update'>,
  channel: Channel,
  health: ChannelHealth,
  check: HealthCheck & { readonly id: string },
): Promise<void> {
  const enabled: Channel = {
    ...channel,
    status: 'enabled',
    autoDisabled: null,
    updatedAtMs: nextUpdateAtMs(channel, check.checkedAtMs),
  };
  const event = { type: 'channel.recovered', reason: 'a health check succeeded' } as const;
  if (await channels.update(enabled, channel.updatedAtMs, { event, check, health })) return;
  throw changedMeanwhile();
}

/**
 * A check does not go through the breakers, which are completion's, and changes none of them. Where
 * its vendor answered, a breaker that was last seen open is reported as half open: by now it lets a
 * call try.
 */
function breakerAfter(healthy: boolean, observed: BreakerState = 'closed'): BreakerState {
  return healthy && observed === 'open' ? 'half_open' : observed;
}

/** How a check failed, in the words that calls have. */
function kindOf(
  channel: Channel,
  result: Pick<HealthCheck, 'healthy' | 'httpStatus' | 'isOutOfCredit'>,
): CallFailureKind {
  if (isCredentialRefused(channel, result)) return 'credential_refused';
  return result.httpStatus === 429 ? 'rate_limited' : 'failure';
}

/**
 * Wrong, expired or without credit. Gemini answers a key that is not valid like a request that is
 * not, and ours is valid.
 */
export function isCredentialRefused(
  { type }: Channel,
  {
    healthy,
    httpStatus,
    isOutOfCredit,
  }: Pick<HealthCheck, 'healthy' | 'httpStatus' | 'isOutOfCredit'>,
): boolean {
  if (healthy) return false;
  if (isOutOfCredit) return true;
  return httpStatus === 401 || httpStatus === 403 || (type === 'gemini' && httpStatus === 400);
}
