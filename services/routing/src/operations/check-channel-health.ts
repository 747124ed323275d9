import { AppError, createId } from '@tollgate/core';
import {
  type Idempotency,
  type IdempotencyOptions,
  type IdempotentResult,
  runIdempotently,
} from '@tollgate/idempotency';
import { type Channel, UNKNOWN_HEALTH } from '../domain/channel';
import { observeOutcome } from '../domain/health';
import type { ChannelStore, HealthCheck, RouteChanges, VendorProbe } from '../domain/ports';

/** What a health check works with. */
export interface HealthCheckOptions extends IdempotencyOptions {
  readonly channels: ChannelStore;
  readonly changes: RouteChanges;
  readonly probe: VendorProbe;
  readonly openCredential: (channel: Channel) => string;
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
    recall: (checkId) => options.channels.findCheck(channelId, checkId),
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
  const { channels, changes, probe, clock } = options;
  const channel = await channels.get(channelId);
  if (channel === undefined) throw new AppError('NOT_FOUND');
  const model =
    modelName === ''
      ? channel.models[0]
      : channel.models.find((candidate) => candidate.name === modelName);
  if (model === undefined) {
    throw new AppError('VALIDATION_ERROR', {
      param: 'model',
      publicMessage: 'The channel does not serve this model.',
    });
  }
  const result = await probe.check(channel, options.openCredential(channel), model.upstreamName);
  const checkedAtMs = clock.now();
  const found: HealthCheck = { ...result, channelId, model: model.name, checkedAtMs };
  // A recovered channel starts with a clean record: its past failures were the outage's.
  const recovered = result.healthy && channel.status === 'auto_disabled';
  const before = recovered ? UNKNOWN_HEALTH : channel.health;
  const observed = before.models.find((known) => known.model === model.name);
  const health = observeOutcome(
    before,
    {
      channelId,
      model: model.name,
      kind: result.healthy ? 'success' : 'failure',
      count: 1,
      latencyMs: result.latencyMs ?? 0,
      firstTokenMs: 0,
      // A check goes past the breakers of those who serve, and leaves them as they are.
      breaker: observed?.breaker ?? 'closed',
      cooldownMs: Math.max(0, (observed?.cooldownUntilMs ?? 0) - checkedAtMs),
    },
    checkedAtMs,
    channel.models,
  );
  if (recovered) {
    const enabled: Channel = {
      ...channel,
      status: 'enabled',
      health,
      updatedAtMs: Math.max(checkedAtMs, channel.updatedAtMs + 1),
    };
    const fact = { type: 'channel.recovered', reason: 'a health check succeeded' } as const;
    await channels.replace(enabled, channel.updatedAtMs, fact, { ...found, id: checkId });
  } else {
    await channels.setHealth(channelId, health, { ...found, id: checkId });
  }
  await changes.announce(`health:${channelId}`);
  return found;
}
