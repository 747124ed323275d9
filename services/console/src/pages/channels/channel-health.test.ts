import type { Channel } from '../../api/schemas';
import { countChannels, sayHealth } from './channel-health';

type Health = Channel['health'];

function channel(
  status: Channel['status'],
  health: Partial<Health> = {},
  models: readonly string[] = ['small'],
) {
  return {
    status,
    health: { state: 'healthy', breaker: 'closed', models: [], ...health } as unknown as Health,
    models: models.map((name) => ({ name, upstream_name: name })),
    owner_account_id: null as string | null,
  };
}

test.each([
  ['disabled', {}, 'Disabled', 'idle'],
  ['auto_disabled', {}, 'Disabled after failures', 'bad'],
  ['enabled', {}, 'Healthy', 'good'],
  ['enabled', { state: 'unknown' }, 'Not called yet', 'idle'],
  ['enabled', { state: 'unhealthy' }, 'Calls fail', 'bad'],
  ['enabled', { state: 'unhealthy', breaker: 'open' }, 'Cut off after failures', 'bad'],
  ['enabled', { state: 'degraded', breaker: 'half_open' }, 'Being tried again', 'warn'],
] as const)('a channel that is %s with %j is said to be %s', (status, health, label, tone) => {
  expect(sayHealth(channel(status, health))).toEqual({ label, tone });
});

test('a model without a channel that can be called is known as such', () => {
  const cutOff = {
    model: 'large',
    state: 'unhealthy',
    breaker: 'open',
  } as Health['models'][number];
  const own = { ...channel('enabled', {}, ['private']), owner_account_id: 'acc_1' };
  const channels = [
    channel('enabled', { models: [cutOff] }, ['small', 'large']),
    channel('disabled', {}, ['large', 'off']),
    own,
  ];
  expect(countChannels(['small', 'large', 'off', 'private'], channels)).toEqual([
    { name: 'small', channels: 1, callable: 1 },
    { name: 'large', channels: 2, callable: 0 },
    { name: 'off', channels: 1, callable: 0 },
    { name: 'private', channels: 0, callable: 0 },
  ]);
});
