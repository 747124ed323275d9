import type { Channel } from '../../api/schemas';
import {
  countChannels,
  describeHealth,
  describeSuccess,
  modelsOfItAlone,
  orderByTrouble,
} from './channel-health';

type Health = Channel['health'];
const NOW_MS = Date.parse('2026-11-22T16:00:00.000Z');

function channel(
  status: Channel['status'],
  health: Partial<Health> = {},
  models: readonly string[] = ['small'],
) {
  return {
    status,
    disabled_at: null as string | null,
    disabled_reason: null as string | null,
    pace: null as NonNullable<Channel['pace']> | null,
    // The sentences are made of nothing else.
    health: {
      state: 'healthy',
      breaker: 'closed',
      models: [],
      last_error: null,
      ...health,
    } as Health,
    models: models.map((name) => ({ name, upstream_name: name })),
    owner_account_id: null as string | null,
  };
}

test.each([
  ['disabled', {}, 'Disabled', 'idle'],
  ['auto_disabled', {}, 'Disabled automatically', 'bad'],
  ['enabled', {}, 'Healthy', 'good'],
  ['enabled', { state: 'unknown' }, 'Not called yet', 'idle'],
  ['enabled', { state: 'unhealthy' }, 'Calls fail', 'warn'],
  ['enabled', { state: 'unhealthy', breaker: 'open' }, 'Cut off after failures', 'warn'],
  ['enabled', { state: 'degraded', breaker: 'half_open' }, 'Being tried again', 'warn'],
] as const)('a channel that is %s with %j is said to be %s', (status, health, label, tone) => {
  expect(describeHealth(channel(status, health), NOW_MS)).toEqual({ label, tone, reason: null });
});

test('a channel whose calls work and are slow is said to be slow, and why', () => {
  const in_words = 'Slow: 95 of 100 answers came within 2.6\u00a0s, and within 93\u00a0ms at fast.';
  const pace = { state: 'slow', in_words } as NonNullable<Channel['pace']>;
  const slow = (health: Partial<Health>) =>
    describeHealth({ ...channel('enabled', health), pace }, NOW_MS);
  expect(slow({})).toEqual({ tone: 'warn', label: 'Slow', reason: in_words });
  const last_error = 'The vendor answered with HTTP status 503.';
  expect(slow({ state: 'unhealthy', last_error })).toEqual({
    tone: 'warn',
    label: 'Calls fail, and slow',
    reason: last_error,
  });
  expect(slow({ state: 'unknown' })).toMatchObject({ tone: 'idle', reason: in_words });
});

test('only what has a critical alert is red: the own channel of a customer is a warning', () => {
  const own = { ...channel('auto_disabled'), owner_account_id: 'acc_1' };
  expect(describeHealth(own, NOW_MS).tone).toBe('warn');
});

function modelHealth(changes: Partial<Health['models'][number]>): Health['models'][number] {
  return {
    model: 'large',
    state: 'healthy',
    breaker: 'closed',
    success_rate: 1,
    cooldown_until: null,
    ...changes,
  };
}

test('a channel is said to be no better than its models', () => {
  const last_error = 'The vendor answered with HTTP status 503.';
  const said = (changes: Partial<Health['models'][number]>) =>
    describeHealth(
      channel('enabled', { last_error, models: [modelHealth({}), modelHealth(changes)] }),
      NOW_MS,
    );
  expect(said({})).toEqual({ tone: 'good', label: 'Healthy', reason: null });
  expect(said({ state: 'degraded' })).toMatchObject({ tone: 'warn', label: 'Some calls fail' });
  expect(said({ state: 'unhealthy', breaker: 'open' })).toEqual({
    tone: 'warn',
    label: 'A model is cut off',
    reason: last_error,
  });
});

test('how many calls worked at a channel is told by its models, the worst first', () => {
  const said = (success_rate: number | null, ...rates: readonly (number | null)[]) =>
    describeSuccess({
      success_rate,
      models: rates.map((rate) => modelHealth({ success_rate: rate })),
    });
  expect(said(0.975, 0.869, 0.973)).toBe('86.9% to 97.3% worked');
  expect(said(0.9, 1, null)).toBe('100% worked');
  expect(said(0.9)).toBe('90% worked');
  expect(said(null)).toBe('–');
});

test('channels in trouble are listed first, and those that are off last', () => {
  const off = channel('disabled');
  const well = channel('enabled');
  const some = channel('enabled', { state: 'degraded' });
  const worst = channel('enabled', { state: 'unhealthy' });
  expect(orderByTrouble([off, well, some, worst], NOW_MS)).toEqual([worst, some, well, off]);
});

test('why the last check failed is said of a channel whose calls fail, and of no other', () => {
  const last_error = 'The vendor answered with HTTP status 503.';
  const reasonOf = (state: Health['state']) =>
    describeHealth(channel('enabled', { state, last_error }), NOW_MS).reason;
  expect(reasonOf('unhealthy')).toBe(last_error);
  expect(reasonOf('healthy')).toBeNull();
});

test('a channel that was disabled automatically says when and why', () => {
  const disabled = {
    ...channel('auto_disabled', { last_error: 'The vendor answered 401.' }),
    disabled_at: '2026-11-22T15:41:09.000Z',
    disabled_reason: 'The vendor refused the credential (401).',
  };
  expect(describeHealth(disabled, NOW_MS, 'UTC')).toEqual({
    tone: 'bad',
    label: 'Disabled automatically 15:41',
    reason: 'The vendor refused the credential (401).',
  });
  const days = describeHealth(disabled, NOW_MS + 3 * 86_400_000, 'UTC');
  expect(days.label).toBe('Disabled automatically 22\u00a0Nov, 15:41');
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

test('without a channel those of its models are lost that no other one serves now', () => {
  const own = { ...channel('enabled', {}, ['small', 'large', 'rare']), id: 'chn_own' };
  const other = { ...channel('enabled', {}, ['small']), id: 'chn_other' };
  const off = { ...channel('disabled', {}, ['large']), id: 'chn_off' };
  expect(modelsOfItAlone(own, [own, other, off])).toEqual(['large', 'rare']);
  expect(modelsOfItAlone(own, [own])).toEqual(['small', 'large', 'rare']);
});
