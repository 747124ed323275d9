import { AppError, type ChannelId, nano } from '@tollgate/core';
import {
  type Channel,
  type ChannelHealth,
  DEFAULT_TIMEOUTS,
  previewCredential,
  UNKNOWN_HEALTH,
} from './channel';
import { applySettings, completeNewSettings } from './channel-settings';
import { type Outcome, observeOutcome } from './health';
import { checkModelSettings, isModelName, type Model, pricesAt, withPrices } from './model';
import { buildRouteTable, isServed } from './route-table';

const base = { name: 'c', type: 'openai', baseUrl: 'https://vendor.example/v1' } as const;

function failure(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function channel(over: Partial<Channel> = {}): Channel {
  return {
    ...completeNewSettings(base),
    id: 'chn_1' as ChannelId,
    sealedCredential: 'sealed',
    credentialPreview: '…abcd',
    health: UNKNOWN_HEALTH,
    followsSimulator: false,
    createdAtMs: 1,
    updatedAtMs: 1,
    ...over,
  };
}

function model(name: string): Model {
  const price = { prompt: nano(1n), completion: nano(2n), cachedPrompt: nano(1n) };
  return {
    name,
    kind: 'chat',
    description: '',
    contextLength: 100,
    maxCompletionTokens: 10,
    capabilities: [],
    ownedBy: 'x',
    createdAtMs: 0,
    prices: [{ ...price, version: 1, effectiveAtMs: 0 }],
  };
}

describe('channel settings', () => {
  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'a\u202eb' }],
    ['weight', { weight: 0 }],
    ['priority', { priority: 1001 }],
    ['priority', { priority: 1.5 }],
    ['groups', { groups: ['Self'] }],
    ['groups', { groups: ['self'] }],
    ['capabilities', { capabilities: ['No Spaces'] }],
    ['status', { status: 'auto_disabled' }],
    ['timeouts.total_ms', { timeouts: { ...DEFAULT_TIMEOUTS, totalMs: -1 } }],
    ['models[1].name', { models: [1, 2].map(() => ({ name: 'm', upstreamName: 'm' })) }],
    ['models[0].upstream_name', { models: [{ name: 'm', upstreamName: 'a b' }] }],
  ] as const)('refuse a bad %s and name it', (param, settings) => {
    const error = failure(() => completeNewSettings({ ...base, ...settings }));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', param });
  });

  test('a new address without the credential is refused, so that it cannot leak', () => {
    const moved = { baseUrl: 'https://other.example/v1' };
    expect(failure(() => applySettings(channel(), moved)).param).toBe('credential');
    expect(applySettings(channel(), { ...moved, credential: 'new' }).baseUrl).toBe(moved.baseUrl);
    expect(applySettings(channel({ credentialPreview: '' }), moved).baseUrl).toBe(moved.baseUrl);
  });

  test('what is left out keeps its value', () => {
    const present = channel({ weight: 7, groups: ['gold'] });
    expect(applySettings(present, { priority: 3 })).toMatchObject({
      weight: 7,
      groups: ['gold'],
      priority: 3,
    });
  });

  test('a channel that was disabled automatically can be changed, and stays so until it is enabled', () => {
    const present = channel({ status: 'auto_disabled' });
    expect(applySettings(present, { weight: 2 })).toMatchObject({ status: 'auto_disabled' });
    expect(applySettings(present, { status: 'enabled' }).status).toBe('enabled');
    expect(failure(() => applySettings(present, { status: 'auto_disabled' })).param).toBe('status');
  });

  test('a preview never shows a short credential', () => {
    expect(previewCredential('short')).toBe('…');
    expect(previewCredential('a-long-enough-credential')).toBe('…tial');
    expect(previewCredential('')).toBe('');
  });
});

describe('models', () => {
  test.each(['sim-2024-05-13', 'sim-20240513', 'sim-0613', 'sim-v2', 'sim-latest', 'auto', 'a:b'])(
    'the name %s is refused',
    (name) => {
      expect(isModelName(name)).toBe(false);
    },
  );

  test.each(['sim-4', 'sim-4.1-mini', 'sim-large', 'o3'])('the name %s is allowed', (name) => {
    expect(isModelName(name)).toBe(true);
  });

  test('a cached prompt cannot cost more than a fresh one', () => {
    const { prices: _, ...rest } = model('m');
    const prices = { prompt: nano(1n), completion: nano(1n), cachedPrompt: nano(2n) };
    expect(failure(() => checkModelSettings({ ...rest, prices })).param).toBe(
      'pricing.cached_prompt',
    );
  });

  test('a changed price is a new version; the same price is none', () => {
    const first = model('m').prices;
    const dearer = { prompt: nano(5n), completion: nano(6n), cachedPrompt: nano(5n) };
    const second = withPrices(first, dearer, 1000);
    expect(second.map((price) => price.version)).toEqual([1, 2]);
    expect(withPrices(second, dearer, 2000)).toBe(second);
    expect(pricesAt({ ...model('m'), prices: second }, 999).version).toBe(1);
    expect(pricesAt({ ...model('m'), prices: second }, 1000).version).toBe(2);
  });
});

describe('health', () => {
  const served = ['m', 'n'].map((name) => ({ name, upstreamName: name }));
  const seen: Outcome = {
    ...{ channelId: 'c', model: 'm', kind: 'success', count: 1, latencyMs: 100, firstTokenMs: 20 },
    ...{ breaker: 'closed', cooldownMs: 0 },
  };
  const observe = (health: ChannelHealth, changes: Partial<Outcome>, models = served) =>
    observeOutcome(health, { ...seen, ...changes }, 1000, models);

  test('failures degrade a channel and do not touch its latency', () => {
    let health = observe(UNKNOWN_HEALTH, {});
    expect(health).toMatchObject({ state: 'healthy', latencyMs: 100, firstTokenMs: 20 });
    for (let turn = 0; turn < 10; turn += 1) {
      health = observe(health, { kind: 'failure', latencyMs: 9999 });
    }
    expect(health).toMatchObject({ state: 'unhealthy', latencyMs: 100 });
  });

  test('an open breaker makes its model unhealthy, and the channel when it is the last', () => {
    const open = observe(UNKNOWN_HEALTH, { breaker: 'open' });
    expect(open).toMatchObject({ state: 'healthy', breaker: 'closed' });
    expect(open.models).toMatchObject([{ model: 'm', state: 'unhealthy', breaker: 'open' }]);
    const both = observe(open, { model: 'n', breaker: 'open' });
    expect(both).toMatchObject({ state: 'unhealthy', breaker: 'open' });
  });

  test('a vendor that limits us stays healthy, and is left alone until the time it named', () => {
    const healthy = observe(UNKNOWN_HEALTH, {});
    const limited = observe(healthy, { kind: 'rate_limited', cooldownMs: 5000 });
    expect(limited).toMatchObject({ state: 'healthy', successRate: 1 });
    expect(limited.models).toMatchObject([
      { state: 'healthy', successRate: 1, cooldownUntilMs: 6000 },
    ]);
    expect(observe(limited, {}).models).toMatchObject([{ cooldownUntilMs: null }]);
  });

  test('models that the channel does not serve any more are forgotten', () => {
    const both = observe(observe(UNKNOWN_HEALTH, {}), { model: 'n' });
    expect(both.models.map(({ model: name }) => name)).toEqual(['m', 'n']);
    expect(observe(both, {}, served.slice(0, 1)).models).toHaveLength(1);
    expect(observe(UNKNOWN_HEALTH, { model: 'invented' }).models).toEqual([]);
  });
});

describe('route table', () => {
  const input = {
    revision: 3n,
    models: [model('m')],
    currency: 'USD',
    atMs: 1,
    openCredential: () => 'clear',
  };
  const serving = { models: [{ name: 'm', upstreamName: 'u' }] };

  test('only enabled channels whose credential opens are in it', () => {
    const channels = [
      channel({ ...serving, id: 'chn_on' as ChannelId }),
      channel({ ...serving, id: 'chn_off' as ChannelId, status: 'disabled' }),
      channel({ ...serving, id: 'chn_lost' as ChannelId }),
    ];
    const table = buildRouteTable({
      ...input,
      channels,
      openCredential: (one) => (one.id === 'chn_lost' ? undefined : 'clear'),
    });
    expect(table.channels.map((one) => [one.id, one.credential])).toEqual([['chn_on', 'clear']]);
    expect(
      JSON.stringify(table, (_key, value: unknown) => (typeof value === 'bigint' ? '' : value)),
    ).not.toContain('sealed');
  });

  test('an own channel serves its account alone', () => {
    const own = channel({ ...serving, ownerAccountId: 'acc_1' as Channel['ownerAccountId'] });
    const table = buildRouteTable({ ...input, channels: [own] });
    const servedTo = (accountId: string) => isServed(table, 'm', { accountId, groups: ['gold'] });
    expect([servedTo('acc_1'), servedTo('acc_2'), servedTo('')]).toEqual([true, false, false]);
  });

  test.each([
    ['without groups', [], [], true],
    ['of the default group among others', ['gold', 'default'], [], true],
    ['of a group that was granted', ['gold'], ['gold'], true],
    ['of a group that was not', ['gold'], ['eu'], false],
  ])('a shared channel %s serves accordingly, and operators see it', (...row) => {
    const [, groups, granted, served] = row;
    const table = buildRouteTable({ ...input, channels: [channel({ ...serving, groups })] });
    expect(isServed(table, 'm', { accountId: 'acc_1', groups: granted })).toBe(served);
    expect(isServed(table, 'm', { accountId: '', groups: [] })).toBe(true);
  });
});
