import { AppError, type Clock } from '@tollgate/core';
import { type Channel, UNKNOWN_HEALTH } from '../domain/channel';
import { observeOutcome } from '../domain/health';
import type { ChannelStore, ProbeResult, RouteChanges, VendorProbe } from '../domain/ports';

/** What a health check works with. */
export interface HealthCheckOptions {
  readonly channels: ChannelStore;
  readonly changes: RouteChanges;
  readonly probe: VendorProbe;
  readonly openCredential: (channel: Channel) => string;
  readonly clock: Clock;
}

/** What a check found. */
export interface HealthCheck extends ProbeResult {
  readonly channelId: string;
  readonly model: string;
  readonly checkedAtMs: number;
}

/**
 * Asks the vendor for one token and records what it showed. A channel that was disabled
 * automatically and answers again is enabled, and `channel.recovered` is published.
 */
export async function checkChannelHealth(
  options: HealthCheckOptions,
  channelId: string,
  modelName: string,
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
  // A recovered channel starts with a clean record: its past failures were the outage's.
  const recovered = result.healthy && channel.status === 'auto_disabled';
  const health = observeOutcome(
    recovered ? UNKNOWN_HEALTH : channel.health,
    {
      channelId,
      kind: result.healthy ? 'success' : 'failure',
      count: 1,
      latencyMs: result.latencyMs ?? 0,
      firstTokenMs: 0,
      breaker: recovered ? 'closed' : channel.health.breaker,
    },
    checkedAtMs,
  );
  if (recovered) {
    const enabled: Channel = {
      ...channel,
      status: 'enabled',
      health,
      updatedAtMs: Math.max(checkedAtMs, channel.updatedAtMs + 1),
    };
    const fact = { type: 'channel.recovered', reason: 'a health check succeeded' } as const;
    await channels.replace(enabled, channel.updatedAtMs, fact);
  } else {
    await channels.setHealth(channelId, health);
  }
  await changes.announce(`health:${channelId}`);
  return { ...result, channelId, model: model.name, checkedAtMs };
}
